"""The tables of the documentation are made from the JSON of `cedar evaluate`."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).parents[1] / "evaluation_tables.py"


def result(extractor: str, f1: float, **more: Any) -> dict[str, Any]:
    summary = {"f1": {"mean": f1, "low": f1 - 0.1, "high": f1 + 0.1}}
    plain = {"set": "s", "variant": "original", "extractor": extractor, "by": None, "group": None, "pages": 9}
    return plain | {"failed": 0, "metrics": {"lcs": summary}, "cpu_ms": 1.25} | more


def test_tables_stand_between_their_marks_and_later_files_win(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT.read_text(encoding="utf-8"), encoding="utf-8")
    page = tmp_path / "RESULTS.md"
    page.write_text("before\n<!-- results -->\nold\n<!-- /results -->\nafter\n", encoding="utf-8")
    first = [result("a", 0.5), result("b|c", 0.6, failed=2), result("a", 0.7, variant="pretty")]
    groups = [result("a", f1, by="lang", group=group) for group, f1 in (("de", 0.4), ("fr", 0.55))]
    for name, results in (("1.json", first + groups), ("2.json", [result("a", 0.8)])):
        (tmp_path / name).write_text(json.dumps({"results": results}), encoding="utf-8")
    main = runpy.run_path(str(tmp_path / "script.py"))["main"]
    for _ in range(2):  # a second time changes nothing
        main([str(tmp_path / "1.json"), str(tmp_path / "2.json")])
    text = page.read_text(encoding="utf-8")
    assert text.startswith("before\n<!-- results -->\n")
    assert text.endswith("<!-- /results -->\nafter\n")
    assert "old" not in text
    assert "|  | s (9) |" in text
    assert "| `a` | 0.800 (0.700 0.900) |" in text
    assert "| `b\\|c` | 1.2 (2) |" in text
    assert "| `a` | 0.400 | 0.550 |" in text
    assert "s by form of the pages" in text
