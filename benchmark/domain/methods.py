"""How the numbers of a view were made, as a paragraph that is true to it."""

from __future__ import annotations

from benchmark.domain.comparison import Comparison
from benchmark.domain.formatting import count
from benchmark.domain.statistics import Method


def methods_paragraph(comparison: Comparison) -> str:
    """Scores, change, test and what is not scored, for the sources and the method shown."""
    options = comparison.options
    sentences = [
        f"Scores are those of {options.instrument}. The default phase comes before any situation; "
        "the change is what imagining the situations added."
    ]
    if comparison.people:
        sentences.append("For people it is evoked minus default within each person.")
    if len(comparison.people) < len(comparison.columns):
        sentences.append("For models and baselines it is the evoked trials against their pooled "
                         "default trials.")  # fmt: skip
    sentences.append(_test(comparison))
    sentences += _unscored(comparison)
    return " ".join(sentences)


def _test(comparison: Comparison) -> str:
    options = comparison.options
    arrow = f"An arrow marks p below {options.alpha:g} (two-sided, not adjusted)."
    if options.method is Method.CLUSTERED:
        return (
            "Standard errors are clustered by situation (CR1) and include the default phase; t has "
            f"the number of situations minus one degrees of freedom. {arrow}"
        )
    tests = []
    if comparison.people:
        tests.append("a paired t test")
    if len(comparison.people) < len(comparison.columns):
        tests.append(
            "Student's or Welch's t test, as an F test on the variances at .01 chooses, taking "
            "each trial as independent"
        )
    how = f"Changes are tested as in the published study: {'; '.join(tests)}. " if tests else ""
    return how + arrow


def _unscored(comparison: Comparison) -> list[str]:
    sentences = []
    for column in comparison.columns:
        source = column.source
        parts = [
            f"{count(n)} {state}" for state, n in source.counts.items() if n and state != "valid"
        ]
        parts += [f"{count(source.missing)} missing"] if source.missing else []
        if parts:
            sentences.append(f"Not scored of {source.name}: {', '.join(parts)}.")
    return sentences
