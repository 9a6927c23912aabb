"""Strategies for every noun: what Hypothesis makes of each kind that the codec lists."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from passhat.model import effect
from passhat.model.answer import Answer, Usage
from passhat.model.comparison import Comparison, Difference
from passhat.model.condition import Condition, Phase, Visibility
from passhat.model.dose import Burst, PermanentFrom, Rate
from passhat.model.grammar import Argument, Term
from passhat.model.outcome import Outcome
from passhat.model.pace import Pace
from passhat.model.reliability import ReliabilitySummary
from passhat.model.run import Cell, Header, Listing, Tally
from passhat.model.summary import Estimate, Row, Speaks, Summary, Voids
from passhat.model.talk import Turn
from passhat.model.task import Task
from passhat.model.trial import Attempt, Call, Evidence, FaultEvent, Grade, Instead, Parameters, ToolCall, Trial
from passhat.model.verdict import Finding, Status, Verdict

numbers = st.integers(-(2**53), 2**53)
counts = st.integers(0, 2**40)
floats = st.floats(allow_nan=False, allow_infinity=False)
text = st.text(max_size=20)
scalars = st.none() | st.booleans() | numbers | floats | text
json: st.SearchStrategy[Any] = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3), max_leaves=6
)
objects = st.dictionaries(text, json, max_size=3)


def tuples(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Short tuples of what *strategy* makes."""
    return st.lists(strategy, max_size=2).map(tuple)


names = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True)
_plain_terms = st.builds(Term, names, tuples(st.builds(Argument, st.just("") | names, scalars)))
terms = st.builds(Term, names, tuples(st.builds(Argument, st.just("") | names, scalars | _plain_terms)))
conditions = st.lists(terms, max_size=3).map(Condition)
doses = (
    st.builds(Rate, st.floats(0, 1))
    | st.builds(Burst, st.integers(1, 99), st.integers(1, 99))
    | st.builds(PermanentFrom, st.integers(1, 99))
)
_simple_effects = (
    st.just(effect.PROCEED)
    | st.builds(effect.Delay, floats)
    | st.builds(effect.Fail, text, text, st.none() | floats)
    | st.builds(effect.Reply, json)
    | st.builds(effect.Hang)
    | st.builds(effect.Forward, counts, text, st.none() | objects)
    | st.builds(effect.Cut, counts, st.booleans(), text, text)
    | st.builds(effect.Hold, counts, floats)
)
effects = _simple_effects | st.builds(effect.Then, _simple_effects, _simple_effects)
usages = st.builds(Usage, input_tokens=st.none() | counts, output_tokens=st.none() | counts, cost=st.none() | floats)
answers = st.builds(
    Answer, json, claims_success=st.none() | st.booleans(), handoff=st.booleans(), usage=st.none() | usages
)
fault_events = st.builds(
    FaultEvent,
    fault=text,
    step=counts,
    tool=text,
    ordinal=counts,
    phase=st.sampled_from(Phase),
    visibility=st.sampled_from(Visibility),
    effect=text,
    upstream_executed=st.booleans(),
    agent_visible=st.booleans(),
    dose=text,
    detail=text,
)
instead = st.builds(Instead, tool=text, arguments=objects, executed=counts, write=st.booleans())
tool_calls = st.builds(
    ToolCall,
    step=counts,
    tool=text,
    arguments=objects,
    reply=json,
    error=text,
    executed=counts,
    upstream=json,
    write=st.booleans(),
    at=floats,
    seconds=floats,
    part_of=st.none() | counts,
    instead=st.none() | instead,
)
parameters = st.builds(Parameters, needed=tuples(text), optional=tuples(text), more=st.booleans())
paces = st.builds(Pace, calls=counts, p99=floats, slowest=floats)
calls = st.builds(
    Call,
    tool=text,
    arguments=objects,
    ordinal=counts,
    history=tuples(tool_calls).map(list),
    write=st.booleans(),
    tools=st.dictionaries(text, parameters, max_size=2),
    pace=st.none() | paces,
)
grades = st.builds(Grade, text, st.booleans(), score=st.none() | floats, reason=text)
attempts = st.builds(Attempt, outcome=st.sampled_from(Outcome), detail=text, seconds=floats)
turns = st.builds(Turn, st.sampled_from(("user", "agent")), text, calls=counts)
evidence = st.builds(
    Evidence,
    task_id=text,
    input=json,
    expect=json,
    answer=answers,
    state=json,
    trace=tuples(tool_calls),
    faults=tuples(fault_events),
    turns=tuples(turns),
)
users = st.none() | text | st.lists(text, max_size=3)
tasks = st.builds(Task, text, json, expect=json, tags=tuples(text), metadata=objects, user=users)
trials = st.builds(
    Trial,
    task_id=text,
    task_digest=text,
    condition=text,
    index=counts,
    outcome=st.sampled_from(Outcome),
    seed=counts,
    score=st.none() | floats,
    detail=text,
    input=json,
    answer=st.none() | answers,
    grades=tuples(grades),
    trace=tuples(tool_calls),
    faults_planned=tuples(text),
    faults=tuples(fault_events),
    recovery_path=st.none() | text,
    state=json,
    state_before=json,
    printed=text,
    paces=st.dictionaries(text, paces, max_size=2),
    turns=tuples(turns),
    attempts=tuples(attempts),
    started_at=floats,
    seconds=floats,
)
headers = st.builds(
    Header,
    id=text,
    suite=text,
    agent=text,
    tasks=tuples(tasks),
    conditions=tuples(text),
    grader=text,
    trials=counts,
    seed=numbers,
    same_seed=st.booleans(),
    agent_version=text,
    source=text,
    started_at=floats,
    provenance=objects,
)
_columns = tuples(counts)
tallies = st.builds(
    Tally,
    tasks=tuples(text),
    conditions=tuples(text),
    passed=_columns,
    failed=_columns,
    crashed=_columns,
    timed_out=_columns,
    void=_columns,
    exposed=_columns,
)
_maybe = st.none() | floats
estimates = st.builds(
    Estimate,
    metric=text,
    value=_maybe,
    low=_maybe,
    high=_maybe,
    n=counts,
    c=counts,
    k=counts,
    method=text,
    speaks_of=st.sampled_from(Speaks),
    reason=text,
    if_voids_failed=_maybe,
    if_voids_passed=_maybe,
    if_voids_excluded=_maybe,
    approximate=st.booleans(),
)
reliabilities = st.builds(
    ReliabilitySummary,
    runs=counts,
    pass_at_k=counts,
    passhat_k=counts,
    variance_amplification=counts,
    graceful_degradation=counts,
    decay_curve=tuples(counts),
)
rows = st.builds(
    Row,
    condition=text,
    task=st.none() | text,
    estimates=tuples(estimates),
    reliability=st.none() | reliabilities,
)
summaries = st.builds(
    Summary,
    header=headers,
    k=counts,
    tally=tallies,
    rows=tuples(rows),
    strips=tuples(text),
    warnings=tuples(text),
    speaks_of=st.sampled_from(Speaks),
    voids=st.sampled_from(Voids),
    asked=tuples(text),
    left_out=tuples(text),
)
findings = st.builds(
    Finding,
    rule=text,
    ok=st.none() | st.booleans(),
    reason=text,
    condition=text,
    line=_maybe,
    detectable_drop=_maybe,
    broken_evidence=st.booleans(),
)
verdicts = st.builds(Verdict, status=st.sampled_from(Status), findings=tuples(findings))
cells = st.builds(Cell, counts, counts)
listings = st.builds(Listing, id=text, suite=text, agent=text, started_at=floats, stored=counts, planned=counts)

differences = st.builds(
    Difference,
    metric=text,
    condition=text,
    before=estimates,
    after=estimates,
    value=_maybe,
    low=_maybe,
    high=_maybe,
    level=floats,
    method=text,
    reason=text,
)
comparisons = st.builds(
    Comparison,
    before=headers,
    after=headers,
    differences=tuples(differences),
    notices=tuples(text),
    warnings=tuples(text),
)

BY_KIND: dict[str, st.SearchStrategy[Any]] = {
    "answer": answers,
    "attempt": attempts,
    "call": calls,
    "cell": cells,
    "comparison": comparisons,
    "condition": conditions,
    "difference": differences,
    "dose": doses,
    "effect": effects,
    "estimate": estimates,
    "evidence": evidence,
    "fault_event": fault_events,
    "finding": findings,
    "grade": grades,
    "header": headers,
    "listing": listings,
    "pace": paces,
    "reliability_summary": reliabilities,
    "row": rows,
    "summary": summaries,
    "tally": tallies,
    "task": tasks,
    "term": terms,
    "tool_call": tool_calls,
    "trial": trials,
    "usage": usages,
    "verdict": verdicts,
}
