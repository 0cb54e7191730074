#!/bin/sh
# Checks that a Python can make the virtual environment, and says in one sentence what to install where it cannot.
# Usage: check_python.sh [PYTHON]; the system is read from the file in OS_RELEASE, /etc/os-release unless set.
# A Python that is too new is refused because some packages have no wheels for it yet: building them ends in
# the errors of a compiler.
python=${1:-python3}
needs="Fifteen Two needs Python 3.11 to 3.14"
again="run make again, with its name, as PYTHON=python3.11, if python3 is another one"

version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)
if [ -z "$version" ]; then
    problem="$needs, and $python cannot be run"
elif ! "$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))'; then
    problem="$needs, and $python is Python $version"
elif ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    problem="$python cannot make .venv without its module ensurepip"
    package="python$version-venv"
    again="run make again"
else
    exit 0
fi

system=$({ . "${OS_RELEASE:-/etc/os-release}" && echo "$ID $ID_LIKE"; } 2>/dev/null)
case "$(uname -s) $system" in
    Darwin*) install="brew install python@3.13" ;;
    *debian* | *ubuntu*) install="sudo apt install ${package:-python3.11-venv}" ;;
    *fedora* | *rhel*) install="sudo dnf install python3.13" ;;
    *arch*) install="sudo pacman -S python" ;;
    *) install="install Python 3.11 to 3.14 with venv and ensurepip" ;;
esac
echo "$problem: $install, then $again." >&2
exit 1
