"""Compares Swiss pairings with caissify-pairings.

The folder contains tournaments written by the test `swiss_reports_for_others`. Each of their rounds must equal the
pairing by caissify-pairings under FIDE's Dutch system of February 2026 (Handbook C.04.3), including colours. Rounds in
which caissify-pairings leaves several players unpaired are skipped, because no pairing satisfies all rules, and the
Handbook leaves the decision to the arbiter.

Usage: python engine-tests/clients/caissify_dutch.py target/ci-trf
(needs `pip install caissify-pairings`)
"""

import sys
from pathlib import Path

from caissify_pairings.fpc import check_trf


def main():
    reports = sorted(Path(sys.argv[1]).glob("*.trf"))
    assert reports, f"no tournaments in {sys.argv[1]}"
    rounds, unpaired = 0, 0
    for path in reports:
        text = path.read_text()
        checked = check_trf(text)
        for r in checked["rounds"]:
            if sum(pair.get("bye", False) for pair in r["engine_pairings"]) > 1:
                unpaired += 1
            else:
                assert r["match"], f"{path}: {r}"
        asked = int(text.split("XXR ")[1].split()[0])
        assert checked["summary"]["rounds_checked"] == asked, f"{path}: {checked['summary']}"
        rounds += asked
    assert rounds > 20 * unpaired, f"no pairing was found in {unpaired} of {rounds} rounds"
    print(
        f"{len(reports)} Swiss tournaments, {rounds} rounds: all pairings agree with caissify-pairings, "
        f"which finds no pairing in {unpaired} rounds"
    )


main()
