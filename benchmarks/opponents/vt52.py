"""The screen of a DEC VT52, the plainest terminal that can place its cursor, as far as curses uses it."""

from __future__ import annotations

ROWS, COLUMNS = 24, 80

_ESCAPE = 0x1B


class ScreenError(Exception):
    """A program wrote a control sequence that a VT52 does not have."""


class Screen:
    """The characters on the screen, and the position of the cursor."""

    def __init__(self) -> None:
        self._cells = [[" "] * COLUMNS for _ in range(ROWS)]
        self.row, self.column = 0, 0
        self._unread = b""

    def feed(self, output: bytes) -> None:
        """Process output of the program; an incomplete control sequence waits for the rest."""
        data = self._unread + output
        at = 0
        while at < len(data):
            size = 1 if data[at] != _ESCAPE else 4 if data[at + 1 : at + 2] == b"Y" else 2
            if at + size > len(data):
                break
            self._do(data[at : at + size].decode("ascii"))
            at += size
        self._unread = data[at:]

    def text(self, row: int, column: int = 0, end: int = COLUMNS) -> str:
        """The text of a row."""
        return "".join(self._cells[row][column:end])

    def __str__(self) -> str:
        return "\n".join(self.text(row).rstrip() for row in range(ROWS))

    def _do(self, command: str) -> None:
        match command:
            case "\x1bH":
                self.row, self.column = 0, 0
            case "\x1bA" | "\x1bB" | "\x1bC" | "\x1bD":
                down, right = {"A": (-1, 0), "B": (1, 0), "C": (0, 1), "D": (0, -1)}[command[1]]
                self.row, self.column = self.row + down, self.column + right
            case "\x1bJ" | "\x1bK":
                self._cells[self.row][self.column :] = [" "] * (COLUMNS - self.column)
                for row in range(self.row + 1, ROWS if command[1] == "J" else 0):
                    self._cells[row] = [" "] * COLUMNS
            case "\x1bF" | "\x1bG" | "\x07":
                pass  # its character set, and the bell
            case "\r":
                self.column = 0
            case "\n":
                self.row += 1
            case "\b":
                self.column -= 1
            case "\t":
                self.column = self.column // 8 * 8 + 8
            case _ if command.startswith("\x1bY"):
                self.row, self.column = ord(command[2]) - 32, ord(command[3]) - 32
            case _ if command.isprintable():
                self._cells[self.row][self.column] = command
                self.column = min(self.column + 1, COLUMNS - 1)
            case _:
                raise ScreenError(f"a VT52 has no {command!r}")
