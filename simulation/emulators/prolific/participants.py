"""The actions of participants: list studies, take a place, complete, return and abandon."""

from __future__ import annotations

from dataclasses import dataclass

from simulation.emulators.prolific.errors import MissingError, RefusalError
from simulation.emulators.prolific.filters import passes
from simulation.emulators.prolific.lifecycle import follow, move, tick
from simulation.emulators.prolific.world import (
    ACTIVE,
    APPROVED,
    AWAITING,
    GONE,
    RETURNED,
    SCREEN_OUT,
    SCREENED_OUT,
    TIMED_OUT,
    Participant,
    Study,
    Submission,
    World,
)


@dataclass(frozen=True, slots=True)
class Started:
    submission_id: str
    url: str  # of the researcher's page, with the ids in it


class Participants:
    def __init__(self, world: World) -> None:
        self._world = world

    def join(self, who: Participant) -> Participant:
        with self._world.lock:
            return self._world.participants.setdefault(who.id, who)

    def studies(self, participant_id: str) -> list[Study]:
        """Return the studies that the participant could take now."""
        world = self._world
        with world.lock:
            tick(world)
            who = self.join(Participant(participant_id))
            return [study for study in world.studies.values() if self._can_take(study, who)]

    def at_work(self, participant_id: str) -> list[Submission]:
        """Return the submissions that the participant has begun and not ended."""
        with self._world.lock:
            mine = (one for one in self._world.submissions.values() if one.participant == participant_id)
            return [one for one in mine if one.status == ACTIVE]

    def start(self, study_id: str, participant_id: str) -> Started:
        """Take a place and return the study's page.

        Raise RefusalError if there is none for the participant.
        """
        world = self._world
        with world.lock:
            tick(world)
            study = world.study(study_id)
            if not self._can_take(study, self.join(Participant(participant_id))):
                raise RefusalError(400, "This participant can take no place of this study.")
            made = Submission(world.new_id(), study.id, participant_id, world.clock.now())
            world.submissions[made.id] = made
            payload = {"resource_id": made.id, "participant_id": participant_id, "status": ACTIVE}
            world.events.append(("submission.status.change", payload))
            return Started(made.id, self.url_of(made.id))

    def url_of(self, submission_id: str) -> str:
        """Return the address of the researcher's page for a submission."""
        one = self._world.submission(submission_id)
        url = str(self._world.study(one.study).fields["external_study_url"])
        ids = (("PROLIFIC_PID", one.participant), ("STUDY_ID", one.study), ("SESSION_ID", one.id))
        for name, value in ids:
            url = url.replace("{{%" + name + "%}}", value)
        return url

    def complete(self, submission_id: str, code: str) -> Submission:
        """Complete a submission with a code.

        If it is not the study's, the code is kept for the researcher.
        """
        world = self._world
        with world.lock:
            tick(world)
            one = world.submission(submission_id)
            if one.status != ACTIVE:
                raise RefusalError(400, f"The submission is {one.status}.")
            one.completed, one.code = world.clock.now(), code
            actions = self._actions(one)
            if SCREEN_OUT in actions and world.screen_outs_left(world.study(one.study)):
                move(world, one, SCREENED_OUT)
                return one
            move(world, one, AWAITING)
            if "AUTOMATICALLY_APPROVE" in actions:
                move(world, one, APPROVED)
            return one

    def complete_by(self, participant_id: str, code: str) -> Submission:
        """Complete by the link back: the active submission whose study has this code, else any active one."""
        with self._world.lock:
            working = [
                one
                for one in self._world.submissions.values()
                if one.participant == participant_id and one.status == ACTIVE
            ]
            if not working:
                raise MissingError("A submission at work")
            return self.complete(min(working, key=lambda one: code not in self._codes(one)).id, code)

    def give_back(self, submission_id: str) -> None:
        world = self._world
        with world.lock:
            one = world.submission(submission_id)
            if one.status not in (ACTIVE, AWAITING):
                raise RefusalError(400, f"A submission that is {one.status} cannot be returned.")
            move(world, one, RETURNED)
            follow(world, world.study(one.study))

    def abandon(self, submission_id: str) -> None:
        """Abandon a submission, as if its time were up."""
        world = self._world
        with world.lock:
            one = world.submission(submission_id)
            if one.status != ACTIVE:
                raise RefusalError(400, f"The submission is {one.status}.")
            move(world, one, TIMED_OUT)

    def _can_take(self, study: Study, who: Participant) -> bool:
        world = self._world
        if study.status != "ACTIVE" or world.places_taken(study) >= study.fields["total_available_places"]:
            return False
        config = study.fields.get("submissions_config") or {}
        most = config.get("max_submissions_per_participant", 1)
        mine = [one for one in world.of_study(study) if one.participant == who.id]
        busy = any(one.status == ACTIVE for one in mine)
        done = sum(one.status not in GONE for one in mine)
        # A participant who has returned a study cannot take it again.
        allowed = not mine if most == 1 else most == -1 or done < most
        return allowed and not busy and passes(world, who, study.fields.get("filters") or [])

    def _codes(self, one: Submission) -> list[str]:
        return [each["code"] for each in self._world.studies[one.study].fields["completion_codes"]]

    def _actions(self, one: Submission) -> list[str]:
        codes = self._world.studies[one.study].fields["completion_codes"]
        return [act["action"] for each in codes if each["code"] == one.code for act in each["actions"]]
