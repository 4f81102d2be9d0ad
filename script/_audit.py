"""Ask whether a vulnerability is known in what is installed; exit status 1 if one is, or if the question went wrong.

Where the service cannot be reached, or knows none of the packages, as with an index of one's own, nothing was audited:
that is said in so many words, and the step passes for that reason alone.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

UNREACHABLE = (
    "ConnectionError", "ConnectTimeout", "ReadTimeout", "Max retries exceeded", "Failed to establish a new connection",
    "Temporary failure in name resolution", "Network is unreachable", "503 Server Error", "502 Server Error",
)  # fmt: skip


def verdict(answer: str, errors: str) -> tuple[int, str]:
    """Return the exit status and a sentence for what pip-audit wrote as JSON and to standard error."""
    try:
        packages: list[dict[str, Any]] = json.loads(answer)["dependencies"]
    except (ValueError, KeyError, TypeError):
        if any(sign in errors for sign in UNREACHABLE):
            return 0, "NOT AUDITED: the vulnerability service cannot be reached from here."
        return 1, f"The audit itself failed:\n{errors.strip()}"
    found = [
        f"{package['name']} {package.get('version')}: {known['id']}"
        + (f", fixed in {', '.join(known['fix_versions'])}" if known.get("fix_versions") else "")
        for package in packages
        for known in package.get("vulns", ())
    ]
    audited = sum("skip_reason" not in package for package in packages)
    if found:
        return 1, "\n".join(["Known vulnerabilities:", *found])
    if not audited:
        return 0, f"NOT AUDITED: the vulnerability service here knows none of the {len(packages)} packages."
    left = len(packages) - audited
    return 0, f"No known vulnerability in {audited} packages" + (
        f"; NOT AUDITED: {left} more." if left else "."
    )


def main() -> int:
    """Audit the environment that runs this."""
    words = ["--format", "json", "--progress-spinner", "off", "--skip-editable", "--timeout", "10"]
    asked = subprocess.run(
        [sys.executable, "-m", "pip_audit", *words], capture_output=True, text=True, check=False
    )
    status, sentence = verdict(asked.stdout, asked.stderr)
    print(sentence)
    return status


if __name__ == "__main__":
    sys.exit(main())
