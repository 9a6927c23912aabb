"""`passhat plan`: how many runs it takes. Reads the options; `passhat.sizing` answers."""

from __future__ import annotations

from typing import Any

import click

from passhat.cli import options


class _Count(click.ParamType):  # type: ignore[type-arg]  # generic in newer clicks alone
    """A count: 1000 or 1e3; what is none is handed on, to be complained about."""

    name = "count"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401
        """An int where it can be one, else a float or the text."""
        number = options.NUMBER.convert(value, param, ctx)
        return int(number) if isinstance(number, float) and number.is_integer() else number


SHARE, COUNT = options.SHARE, _Count()

_HELP = """Say how many runs it takes, or what the runs that there are can show.

\b
passhat plan --half-width 5%                runs for an interval of ±5 points
passhat plan --runs 100                     the interval that 100 runs buy
passhat plan --baseline 90% --drop 5%       runs that catch a drop to 85 %
passhat plan --baseline 90% --runs 100      the drop that 100 runs catch
passhat plan --baseline 90% --margin 5%     runs that show "no worse"
passhat plan --pass-hat-k 10 --at-least .9  runs that prove a pass^10
passhat plan --field list                   published rates, to start from

A share is typed as 0.05, .05 or 5%; a drop of 5% is 5 points.
"""


@click.command(help=_HELP)
@click.option("--half-width", type=SHARE, metavar="H", help="How many runs pin a pass rate to ±H?")
@click.option("--drop", type=SHARE, metavar="D", help="How many runs catch a drop of D below the baseline?")
@click.option("--runs", type=COUNT, metavar="N", help="What do N runs catch, or pin a rate to?")
@click.option("--margin", type=SHARE, metavar="M", help="How many runs show that a candidate is worse by less than M?")
@click.option("--pass-hat-k", type=COUNT, metavar="K", help="How many runs prove a pass^K of --at-least?")
@click.option("--at-least", type=SHARE, metavar="P", help="The pass^K to prove.")
@click.option("--failures", type=COUNT, metavar="F", help="How many of the runs may fail.  [default: 0]")
@click.option("--baseline", type=SHARE, metavar="P", help="The pass rate that there is now.")
@click.option("--field", metavar="NAME", help="A published pass rate as the baseline; 'list' shows them.")
@click.option("--power", type=SHARE, metavar="P", help="How surely a drop shall be caught.  [default: 0.8]")
@click.option("--alpha", type=SHARE, metavar="A", help="How often no drop may raise an alarm.  [default: 0.05]")
@click.option("--two-sided", is_flag=True, default=None, help="Look for a rise too.")
@click.option("--confidence", type=SHARE, metavar="C", help="Of a half-width or a pass^K.  [default: 0.95]")
@click.option("--method", metavar="NAME", help="How to count: exact, two-sample … (docs/planning.md has them all).")
@click.option("--tasks", type=COUNT, metavar="T", help="How many tasks there are.")
@click.option("-n", "--trials", type=COUNT, metavar="N", help="How often each task runs.")
@click.option("--icc", type=SHARE, metavar="R", help="How alike trials of one task are: 0 to 1.  [default: 0]")
@click.option("--paired", is_flag=True, default=None, help="Run the same tasks in both arms.")
@click.option("--spread", type=SHARE, metavar="S", help="With --paired: how unlike the tasks' drops are.  [default: 0]")
@click.option("--cost-per-run", type=options.NUMBER, metavar="X", help="What one run costs, to add it up.")
@click.option("--seconds-per-run", type=options.NUMBER, metavar="X", help="How long one run takes, to add it up.")
@options.output("the number")
def command(*, quiet: bool, as_json: bool, **given: Any) -> None:  # noqa: ANN401 - click gives the options by name
    """Answer the question that the options ask."""
    from passhat.cli import output
    from passhat.errors import UsageError
    from passhat.sizing import Question, answer, kind_of, text

    question = Question(**given)
    if question.field == "list":
        if len(question.given) > 1:
            raise UsageError("--field list shows the published rates and answers nothing: leave the other options out")
        output.write(_json(text.field_data()) if as_json else text.field_text())
        return
    if not question.given:
        context = click.get_current_context()
        click.echo(context.get_help(), err=True)
        raise click.UsageError("nothing is asked: 'passhat plan --baseline 90% --drop 5%' is a question", context)
    found = answer(question)
    if as_json:
        output.write(_json(text.answer_data(question, kind_of(question), found)))
    elif quiet:
        output.line(found.number)
    else:
        output.write(text.answer_text(found))


def _json(data: object) -> str:
    import json

    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
