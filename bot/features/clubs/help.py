"""The help's page about clubs."""

from __future__ import annotations

from bot.render.text.voice import Voice


def club_lines(voice: Voice) -> tuple[str, ...]:
    """The course of a club night."""

    def club(name: str) -> str:
        return voice.command(f"crib-club {name}")

    def organise(name: str) -> str:
        return voice.command(f"crib-organise {name}")

    return (
        voice.gettext("## Club nights"),
        voice.gettext(
            "{open}: an evening, or a season at a day a move. {weekly} repeats it.",
            open=organise("open"),
            weekly=organise("weekly"),
        ),
        voice.gettext(
            "**Sign up** with the button, and press *I'm here* when you are. In teams, choose your "
            "{partner}.",
            partner=club("partner"),
        ),
        voice.gettext(
            "{start} pairs everybody. Each game has its own thread, and results come in by themselves.",
            start=organise("start"),
        ),
        voice.gettext(
            "**Points:** 2 for a win, 3 for a skunk. {standings} shows them, {year} the year's.",
            standings=club("standings"),
            year=club("year"),
        ),
        voice.gettext(
            "Organisers may {correct}, {remove}, {close} and choose the year's {best} nights; moderators "
            "name them: {organisers}.",
            best=organise("best"),
            correct=organise("correct"),
            remove=organise("remove"),
            close=organise("close"),
            organisers=organise("role"),
        ),
    )
