"""Swiss pairings against those of others: each round of the tournaments in a folder, which the test
`swiss_reports_for_others` wrote, must be the one that caissify-pairings pairs by FIDE's Dutch system of
February 2026 (Handbook C.04.3), colours included.

Usage: python engine-tests/clients/caissify_dutch.py target/ci-trf
(needs `pip install caissify-pairings`)
"""

import sys
from pathlib import Path

from caissify_pairings.fpc import check_trf


def main():
    reports = sorted(Path(sys.argv[1]).glob("*.trf"))
    assert reports, f"no tournaments in {sys.argv[1]}"
    rounds = 0
    for path in reports:
        text = path.read_text()
        checked = check_trf(text)
        wrong = [r for r in checked["rounds"] if not r["match"]]
        assert not wrong, f"{path}: {wrong}"
        asked = int(text.split("XXR ")[1].split()[0])
        assert checked["summary"]["rounds_checked"] == asked, f"{path}: {checked['summary']}"
        rounds += asked
    print(f"{len(reports)} Swiss tournaments, {rounds} rounds: paired as caissify-pairings pairs them")


main()
