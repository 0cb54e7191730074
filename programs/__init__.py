"""Programs beside the tests: they measure, try and look, and are run by hand.

`breaks` breaks the code at random and asks which tests see it, `costs` measures each test, `look` photographs
a game on the page, `soak` plays hundreds of games with faults, `sweep` kills the bot at every point,
`foreign` runs other libraries against the sandbox. Each package's docstring has its command.
"""
