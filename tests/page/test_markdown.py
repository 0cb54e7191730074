"""Markdown is rendered as in Discord, and HTML in messages is never interpreted."""

import pytest_asyncio
from playwright.async_api import Page

from tests.page.samples import ADA, BEN, CRIBBAGE, GENERAL, GUILD, ready
from tests.page.small_discord import SmallDiscord

DRAW = """async (texts) => {
    const { renderMarkdown } = await import('/static/js/markdown/render.js');
    const people = { '101': { username: 'Ada' }, '102': { username: 'Ben' } };
    const channels = { '201': { type: 0, name: 'cribbage' }, '202': { type: 0, name: 'general' } };
    const room = {
        user: (id) => people[id] ?? null, channel: (id) => channels[id] ?? null, isMe: (id) => id === '101',
        jump: () => {}, command: () => {},
    };
    return texts.map((text) => {
        const drawn = renderMarkdown(text, room, { jumbo: true });
        drawn.querySelectorAll('svg').forEach((icon) => icon.remove());
        return drawn.outerHTML;
    });
}"""
LINK = 'target="_blank" rel="noreferrer noopener"'


def link(url: str, words: str | None = None) -> str:
    title = "" if words is None else f' title="{url}"'
    return f'<a href="{url}"{title} {LINK}>{words or url}</a>'


def block(code: str, language: str | None = None) -> str:
    named = "" if language is None else f' data-language="{language}"'
    return f'<pre tabindex="0"><code{named}>{code}</code></pre>'


def moment(iso: str, full: str, words: str) -> str:
    return f'<time class="stamp" datetime="{iso}" title="{full}">{words}</time>'


def paragraph(inside: str) -> str:
    return f'<div class="paragraph">{inside}</div>'


def em(symbol: str) -> str:
    return f'<span class="emoji">{symbol}</span>'


INLINE = [
    ("plain words", "plain words"),
    ("**bold**", "<strong>bold</strong>"),
    ("*leaning* _leaning_", "<em>leaning</em> <em>leaning</em>"),
    ("__under__ ~~gone~~", "<u>under</u> <s>gone</s>"),
    ("***both***", "<strong><em>both</em></strong>"),
    ("**bold *and leaning***", "<strong>bold <em>and leaning</em></strong>"),
    ("__**two**__", "<u><strong>two</strong></u>"),
    ("**over\nlines**", "<strong>over\nlines</strong>"),
    ("2 * 3 * 4", "2 * 3 * 4"),
    ("snake_case_name", "snake_case_name"),
    ("**not closed", "**not closed"),
    ("\\*plain\\* \\_too\\_", "*plain* _too_"),
    ("¯\\\\\\_(ツ)\\_/¯", "¯\\_(ツ)_/¯"),
    ("`**code**`", "<code>**code**</code>"),
    ("`` `a` ``", "<code>`a`</code>"),
    ("**a `**` b**", "<strong>a <code>**</code> b</strong>"),
    ("`open", "`open"),
    ("[here](https://example.com/a)", link("https://example.com/a", "here")),
    ("[**b**](https://example.com)", link("https://example.com", "<strong>b</strong>")),
    ("(see https://example.com/x_(y)).", f"(see {link('https://example.com/x_(y)')})."),
    ("<https://example.com>", link("https://example.com")),
    (f"<@{ADA}>", f'<span class="mention mention-me" data-user-id="{ADA}">@Ada</span>'),
    (f"<@!{BEN}>", f'<span class="mention" data-user-id="{BEN}">@Ben</span>'),
    ("<@9>", '<span class="mention" data-user-id="9">@unknown-user</span>'),
    ("@everyone", '<span class="mention">@everyone</span>'),
    ("</crib new:301>", '<button type="button" class="mention">/crib new</button>'),
    ("<t:0:D>", moment("1970-01-01T00:00:00.000Z", "Thursday, 1 January 1970 at 00:00", "1 January 1970")),
    ("<t:99999999999999:R>", "&lt;t:99999999999999:R&gt;"),
    ("5♥ and 🃏", f"5{em('♥')} and {em('🃏')}"),
    ("5\\♥", "5♥"),
    ("10 #1 *", "10 #1 *"),
]  # fmt: skip

BLOCKS = [
    ("# One\n## Two\n### Three", "<h1>One</h1><h2>Two</h2><h3>Three</h3>"),
    ("#hash", paragraph("#hash")),
    ("-# small *print*", '<small class="subtext">small <em>print</em></small>'),
    ("> a\n> b\nc", f"<blockquote>{paragraph(f'a{chr(10)}b')}</blockquote>{paragraph('c')}"),
    (">>> a\n\nb", f"<blockquote>{paragraph(f'a{chr(10)}{chr(10)}b')}</blockquote>"),
    (">no", paragraph("&gt;no")),
    (
        "- a\n- b\n  - c\n    - d\n- e",
        "<div><ul><li>a</li><li>b<ul><li>c<ul><li>d</li></ul></li></ul></li><li>e</li></ul></div>",
    ),
    ("- a\n1. b", '<div><ul><li>a</li></ul><ol start="1"><li>b</li></ol></div>'),
    ("3. c\n4. d", '<div><ol start="3"><li>c</li><li>d</li></ol></div>'),
    ("-5 points", paragraph("-5 points")),
    ("```py\nx = '**'\n```", block("x = '**'", "py")),
    ("```one line```", block("one line")),
    ("so ```x\ny``` then", paragraph("so ") + block("y", "x") + paragraph(" then")),
    ("a\n\nb", paragraph("a\n\nb")),
    ("a\n# H\nb", f"{paragraph('a')}<h1>H</h1>{paragraph('b')}"),
]  # fmt: skip

ELEMENTS = """[...drawn.querySelectorAll('*')].map((element) => [
    element.tagName, ...[...element.attributes].map(({ name, value }) => `${name}=${value}`)
])"""
HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "**<b onclick=alert(1)>**",
    "[a](javascript:alert(1))",
    "[a](data:text/html,x)",
    '[a](https://x" onmouseover="alert(1))',
    "<javascript:alert(1)>",
    '```"><img src=x onerror=alert(1)>\nx```',
    "</crib <img src=x onerror=alert(1)>:301>",
    '<:name"onerror=alert(1):12>',
    "\\<script>",
    "||<iframe src=//x>||",
]


@pytest_asyncio.fixture(loop_scope="session")
async def drawn(discord: SmallDiscord) -> Page:
    return await discord.open(timezone_id="UTC", locale="en-GB")


async def test_marks_within_a_line_are_drawn(drawn: Page) -> None:
    html = await drawn.evaluate(DRAW, [text for text, _ in INLINE])
    got = dict(zip([text for text, _ in INLINE], html, strict=True))
    assert got == {text: f'<div class="markdown">{paragraph(inside)}</div>' for text, inside in INLINE}


async def test_marks_of_whole_lines_are_drawn(drawn: Page) -> None:
    html = await drawn.evaluate(DRAW, [text for text, _ in BLOCKS])
    got = dict(zip([text for text, _ in BLOCKS], html, strict=True))
    assert got == {text: f'<div class="markdown">{inside}</div>' for text, inside in BLOCKS}


async def test_emoji_alone_are_large(drawn: Page) -> None:
    texts = ["🃏", "🃏 🎉", "<:five:12>", "🃏 well", "x"]
    html = await drawn.evaluate(DRAW, texts)
    assert ["jumbo" in each for each in html] == [True, True, True, False, False]
    assert 'src="/cdn/emojis/12.png" alt=":five:"' in html[2]


async def test_hostile_text_stays_text(drawn: Page) -> None:
    html = await drawn.evaluate(DRAW.replace("drawn.outerHTML", ELEMENTS), HOSTILE)
    for text, elements in zip(HOSTILE, html, strict=True):
        for tag, *attributes in elements:
            assert tag not in {"SCRIPT", "IFRAME", "IMG", "B"}, text
            assert not any(each.startswith("on") or "=javascript:" in each for each in attributes), text
    assert await drawn.evaluate("window.alerted === undefined")


async def test_endless_marks_take_no_time(drawn: Page) -> None:
    texts = [
        mark * (4000 // len(mark))
        for mark in ("*", "**a", "_", "`", "`a", "||", "[", "[](", "> ", "- ", "\\", "<@", "~~*`")
    ]
    timed = "const started = performance.now(); await draw(texts); return performance.now() - started"
    took = await drawn.evaluate(f"async (texts) => {{ const draw = {DRAW}; {timed}; }}", texts)
    assert took < 20_000, "0.1 s on a quiet machine, and for ever where it tries every way to pair them"


async def test_a_spoiler_shows_its_words_when_pressed(discord: SmallDiscord) -> None:
    discord.ready["messages"][CRIBBAGE][0]["content"] = "The starter is ||the five of hearts||"
    page = await discord.open()
    hidden = page.get_by_role("button", name="Spoiler")
    await hidden.focus()
    await page.keyboard.press("Enter")
    assert await page.locator(".spoiler.shown").inner_text() == "the five of hearts"


async def test_a_link_to_a_message_here_jumps_to_it(discord: SmallDiscord) -> None:
    url = f"https://discord.com/channels/{GUILD}/{CRIBBAGE}/1000"
    discord.ready["messages"][GENERAL] = [
        ready()["messages"][CRIBBAGE][0] | {"id": "2000", "channel_id": GENERAL, "content": url}
    ]
    page = await discord.open("as=Ada&channel=general")
    await page.get_by_role("log").get_by_role("link").click()
    await page.locator("article[data-message-id='1000'].flash").wait_for()


async def test_times_are_written_in_every_style_and_language(drawn: Page) -> None:
    words = await drawn.evaluate(
        """async () => {
            const { timeElement, relative } = await import('/static/js/times.js');
            const noon = new Date(2026, 2, 1, 12, 5, 9).getTime() / 1000;
            const drawn = [..."tTdDfFsS"].map((style) => timeElement(noon, style).textContent);
            const french = [90, 0].map((gap) => relative(gap, 0, "fr"));
            return [drawn, [timeElement(noon, "D", "fr").textContent, ...french]];
        }"""
    )
    assert words == [
        [
            "12:05",
            "12:05:09",
            "01/03/2026",
            "1 March 2026",
            "1 March 2026 at 12:05",
            "Sunday, 1 March 2026 at 12:05",
            "01/03/2026, 12:05",
            "01/03/2026, 12:05:09",
        ],
        ["1 mars 2026", "dans 1 minute", "dans 0 seconde"],
    ]


async def test_relative_times_go_on_walking(drawn: Page) -> None:
    words = await drawn.evaluate(
        """async () => {
            const { relative } = await import('/static/js/times.js');
            return [90, 5, 0, -1, -3600, -86400 * 3].map((gap) => relative(1000000 + gap, 1000000 * 1000));
        }"""
    )
    assert words == ["in 1 minute", "in 5 seconds", "now", "1 second ago", "1 hour ago", "3 days ago"]
