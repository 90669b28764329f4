"""Faults of the past, each as the smallest change that makes it again, and the tests that must find it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """A fault that the changelog tells of.

    ``before`` is the text as it stands now, exactly once in ``file``; ``after`` has the fault. Each function
    ``found_by`` in the file ``tests`` fails for it, in the run named ``run``: ``short`` (the ten minutes) or
    ``long``. ``kind`` is the process that has what the tests need: ``main`` or ``browser``.
    """

    name: str
    sentence: str
    file: str
    before: str
    after: str
    tests: str
    found_by: tuple[str, ...]
    run: str = "short"
    kind: str = "main"

    @property
    def addresses(self) -> list[str]:
        """The tests as pytest takes them."""
        return [f"{self.tests}::{name}" for name in self.found_by]


FAULTS = (
    Fault(
        name="a match under way in .mat",
        sentence="`.mat` text that keeps rulings, penalties, interruptions and every other event in "
        "comments and is read back as the very same match",
        file="scoring/notation/mat_writer.py",
        before="            self.games[-1].append(NOT_PLAYED)",
        after="            pass",
        tests="tests/scoring/notation/test_complete_records.py",
        found_by=("test_a_complete_record_is_read_back_as_the_same_state",),
    ),
    Fault(
        name="an extra with a cube taken over",
        sentence="An extra at a chouette is between who passed and who took: whose cube another has taken "
        "over asks for none and need not hold one.",
        file="scoring/rules/chouette/game.py",
        before="own = all(cube.against is None and cube.account is None for cube in (passed, taken))",
        after="own = passed.against is None and taken.against is None",
        tests="tests/scoring/rules/chouette/test_session.py",
        found_by=("test_an_extra_is_between_who_passed_and_who_took_not_those_whose_cubes_were_taken_over",),
    ),
    Fault(
        name="a yes to a result that was corrected",
        sentence="A yes to a result is to the one that was looked at.",
        file="scoring/sheets/services/results.py",
        before="if revision is not None and revision != result.revision:",
        after="if revision is not None and revision > result.revision:",
        tests="tests/scoring/sheets/test_seen_results.py",
        found_by=(
            "test_a_yes_to_a_result_that_was_corrected_meanwhile_is_refused",
            "test_the_pages_and_the_api_name_the_result_that_was_looked_at",
        ),
    ),
    Fault(
        name="a result rated before it is final",
        sentence="a result is final once a director or both sides say yes, ratings replay from the first "
        "match that changed",
        file="scoring/formulas/policy.py",
        before="            (not match.final, Unrated.NOT_FINAL),\n",
        after="",
        tests="tests/scoring/formulas/test_policy.py",
        found_by=("test_the_default_policy_rates_finished_final_singles_matches",),
    ),
    Fault(
        name="a stage named like the main table",
        sentence="A stage that is named like the main table is not paid the main prizes once more",
        file="tournaments/money/services/awards.py",
        before="    return [(each, parts[name]) for name, each in named.items() if parts.get(name)]",
        after="    return [(each, parts[each.name]) for each in rankings if parts.get(each.name)]",
        tests="tests/tournaments/money/test_shares.py",
        found_by=("test_a_stage_named_main_is_not_paid_the_main_prizes_once_more",),
    ),
    Fault(
        name="undoing an older withdrawal",
        sentence="Whoever left a draw twice: taking the first time back no longer opens matches that "
        "rounds were paired on.",
        file="tournaments/desk/services/departures.py",
        before=" or _left_again(entry):",
        after=":",
        tests="tests/tournaments/desk/test_reinstating.py",
        found_by=("test_an_older_withdrawal_is_not_undone_instead_of_a_newer_one",),
    ),
    Fault(
        name="shares set from a stale page",
        sentence="Of two stale pages the later one no longer wins without a word: shares of the pool, "
        "earliest starts, [...] say what they were changed from",
        file="tournaments/money/services/shares.py",
        before='{"shares": dict(seen)}, {"shares": flight.shares}',
        after='{"shares": dict(seen)}, {"shares": dict(seen or {})}',
        tests="tests/tournaments/desk/test_seen.py",
        found_by=("test_shares_of_a_stale_page_are_refused_with_those_that_stand",),
    ),
    Fault(
        name="a copy across the change of clocks",
        sentence="An event that is copied across the change of the clocks keeps the venue's hours and "
        "days, also those of later rounds and of registration.",
        file="tournaments/events/plans.py",
        before="            return moved_moment(at, begins - begun, tz)",
        after="            return at + (starts_at - self.starts_at)",
        tests="tests/tournaments/stages/test_feeding.py",
        found_by=("test_a_copy_across_the_change_of_clocks_keeps_every_hour_and_day_of_the_venue",),
    ),
    Fault(
        name="a result on the sheet of a moved event",
        sentence="results of its matches recorded on scoresheets at home likewise are refused in words",
        file="scoring/log/services/sheets.py",
        before="    held = _locked(sheet).get()\n    require_here(held)\n",
        after="    held = _locked(sheet).get()\n",
        tests="tests/tournaments/transfer/test_moving.py",
        found_by=("test_a_result_while_the_event_is_moved_is_in_the_file_or_refused",),
    ),
    Fault(
        name="the members of a hidden club",
        sentence="each asked by machine as five kinds of people: no fault, [...] nothing told of a club "
        "that is hidden",
        file="scoring/chouettes/views/chouette.py",
        before='    if seen.role is None:\n        return ""',
        after='    if seen.author.user is None:\n        return ""',
        tests="tests/scoring/chouettes/test_privacy.py",
        found_by=("test_who_is_not_of_the_club_does_not_learn_who_is",),
    ),
    Fault(
        name="a change of terms and results hold each other up",
        sentence="A change of what was announced and results, or several check-ins of one player, no "
        "longer make one another fail (a deadlock, where the stages of an event came by file)",
        file="tournaments/events/services/changes.py",
        before='ordered = stages.order_by("flight__position", "position")',
        after='ordered = stages.order_by("pk")',
        tests="tests/tournaments/events/test_changing_meanwhile.py",
        found_by=("test_a_change_takes_the_stages_in_the_order_of_results_whatever_their_keys",),
    ),
    Fault(
        name="mail of a killed worker",
        sentence="Outgoing mail as rows that a worker sends, an outbox where there is no mail server, a "
        "reconciler for every kind of background work",
        file="clubs/tasks.py",
        before="for work in [*requeue_lost(model), *overdue(model)]:",
        after="for work in overdue(model):",
        tests="tests/clubs/mail/test_mail.py",
        found_by=("test_a_worker_killed_in_the_middle_of_a_message",),
    ),
    Fault(
        name="an extra that an offline page offers",
        sentence="A chouette's page goes on without a line with everything that happens at the table - "
        "places, equal dice, beavers, extras [...] - and offers exactly what the server will "
        "accept",
        file="scoring/static/scoring/chouettes/game.js",
        before="every((cube) => isMain(cube) && cube.account === null)",
        after="every(isMain)",
        tests="tests/scoring/chouettes/test_page_rules.py",
        found_by=("test_a_page_without_a_line_knows_what_the_server_would_accept",),
    ),
    Fault(
        name="a form sent offline",
        sentence="A form that is sent without a line no longer leaves for the browser's own page: it "
        "stays, and the page says that nothing was sent.",
        file="clubs/static/clubs/midpoint.js",
        before='form === reached || form.method !== "post") return;',
        after='form === reached || form.method === "post") return;',
        tests="tests/e2e/test_entering.py",
        found_by=("test_checking_in_without_a_line_and_with_two_taps_stands_in_the_log_once",),
        kind="browser",
    ),
    Fault(
        name="news before the last news have settled",
        sentence="live pages from one listening connection per web process",
        file="clubs/static/clubs/midpoint.js",
        before='if (!part.hasAttribute("hx-get")) part.dataset',
        after="part.dataset",
        tests="tests/e2e/test_lists.py",
        found_by=("test_news_that_comes_before_the_last_news_have_settled_is_shown_too",),
        run="long",
        kind="browser",
    ),
)
