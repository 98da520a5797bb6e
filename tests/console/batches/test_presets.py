"""A new batch begins with a preset, whose form asks only what differs."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from annotation.models import Batch, Project
from console.batches.preset_choice import PRESETS
from tests.console.batches.form_data import acts, filled, filled_again
from tests.console.crowd.crowd_rows import account
from tests.factories import make_batch, make_image, make_project
from workflows.batch_settings.domain.presets import preset_settings, rewards_for
from workflows.batch_settings.selectors import settings_of
from workflows.platforms.accounts import ProlificAccount
from workflows.platforms.provider import Environment

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    project = make_project("pets")
    make_image(project, [["man"], ["man"]], name="0.jpg")
    return project


def address(project: Project, preset: str) -> str:
    return f"{reverse('batches:new', args=[project.pk])}?preset={preset}"


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_sent_as_it_comes_makes_its_batch(manager: Client, project: Project, preset: str) -> None:
    url = address(project, preset)
    reply = manager.get(url)
    shown = [bound.name for bound, _, _ in reply.context["form"].first()]
    assert shown == list(PRESETS[preset].asked)
    folded = {bound.name for fold in reply.context["folds"] for bound, _, _ in fold.fields}
    fields = reply.context["form"].fields
    used = {name for name in fields if not fields[name].disabled}  # the others are of other campaigns
    assert folded == used - set(shown), "everything else is behind Advanced"
    manager.post(url, filled(manager, url, name="a", preset=preset))
    assert settings_of(Batch.objects.get()) == preset_settings(preset)


def test_rewards_follow_the_wage_that_is_typed(manager: Client, project: Project) -> None:
    url = address(project, "paid")
    manager.post(url, filled(manager, url, name="a", preset="paid", crowd__hourly_wage="15", crowd__cap="40"))
    settings = settings_of(Batch.objects.get())
    assert dict(settings.reward) == rewards_for(1500)
    assert (settings.crowd.hourly_wage, settings.crowd.cap) == (1500, 4000)
    assert acts().get().detail["preset"] == "paid"


def test_rewards_that_are_typed_are_kept(manager: Client, project: Project) -> None:
    url = address(project, "paid")
    manager.post(url, filled(manager, url, name="a", preset="paid", reward__link="0.99"))
    assert settings_of(Batch.objects.get()).reward["link"] == 99


def test_a_preset_that_is_none_is_the_papers(manager: Client, project: Project) -> None:
    assert manager.get(address(project, "x")).context["preset"] == "paper"


def test_an_error_behind_advanced_opens_it(manager: Client, project: Project) -> None:
    url = address(project, "known")
    reply = manager.post(url, filled(manager, url, name="a", preset="known", control__entrance="many"))
    assert reply.status_code == 422 and reply.context["preset"] == "known"
    assert 'advanced" open' in reply.content.decode()


def test_a_copy_keeps_its_settings_and_offers_no_preset(manager: Client, project: Project) -> None:
    manager.post(
        address(project, "known"), filled(manager, address(project, "known"), name="a", preset="known")
    )
    batch = Batch.objects.get()
    reply = manager.get(reverse("batches:clone", args=[batch.pk]))
    assert reply.context["presets"] == [] and "Who annotates?" not in reply.content.decode()


def test_the_page_counts_free_images_as_they_are_now(manager: Client, project: Project) -> None:
    shown = manager.get(address(project, "paid"))
    assert (shown.context["free"], shown.context["images"]) == (1, 1)
    assert "Verification questions need images" in shown.content.decode()
    assert "Verification questions need images" not in manager.get(address(project, "known")).content.decode()
    make_batch(project, launch=False)
    assert manager.get(address(project, "known")).context["free"] == 0


def with_amounts(reply: Any) -> dict[str, Any]:
    """Return the fields of the form, with those that say in which currency amounts are."""
    form = reply.context["form"]
    return filled_again(reply) | {"amounts_in": form.amounts_in, "paid_by": form.paid_by}


def test_a_platform_brings_its_currency_and_other_proposals(
    manager: Client, project: Project, settings: Settings
) -> None:
    """9.00 GBP was 12.00 GBP, and rewards kept the digits that they had in USD."""
    settings.MTURK = account()
    url = address(project, "paid") + "&provider=mturk"
    typed = with_amounts(manager.get(url)) | {"name": "a", "preset": "paid", "crowd.provider": "prolific"}
    reply = manager.post(url, typed)
    assert reply.status_code == 422 and not Batch.objects.exists()
    assert "Amounts are in GBP now, and were in USD." in reply.content.decode()
    again = with_amounts(reply) | {"preset": "paid"}
    assert (again["currency"], again["crowd.hourly_wage"]) == ("GBP", "9.00")
    manager.post(url, again)
    made = settings_of(Batch.objects.get())
    assert (made.currency, made.crowd.provider) == ("GBP", "prolific")
    assert dict(made.reward) == rewards_for(900)


def test_mechanical_turk_is_offered_only_with_an_account(
    manager: Client, project: Project, settings: Settings
) -> None:
    """Amazon closed it on 30 September 2026."""

    def offered(query: str = "") -> tuple[list[str], list[str]]:
        context = manager.get(address(project, "paid") + query).context
        choices = context["form"].fields["crowd.provider"].choices
        return [name for name, _, _ in context["platforms"]], [name for name, _ in choices]

    assert offered("&provider=mturk") == (["prolific", "link", "direct"], ["direct", "prolific", "link"])
    url = address(project, "paid")
    reply = manager.post(url, filled(manager, url, name="a", preset="paid", crowd__provider="mturk"))
    assert reply.status_code == 422 and not Batch.objects.exists()
    settings.MTURK = account()
    first = ["mturk", "prolific", "link"]
    assert offered() == ([*first, "direct"], ["direct", *first]), "the account first"
    # A batch that has it keeps it without an account, also in a copy.
    url += "&provider=mturk"
    manager.post(url, filled(manager, url, name="a", preset="paid"))
    settings.MTURK = None
    assert settings_of(Batch.objects.get()).crowd.provider == "mturk"
    copy = manager.get(reverse("batches:clone", args=[Batch.objects.get().pk])).context["form"]
    assert "mturk" in dict(copy.fields["crowd.provider"].choices)


def test_a_platform_that_is_reached_by_a_link_brings_the_names_of_its_parameters(
    manager: Client, project: Project
) -> None:
    url = address(project, "paid")
    assert "A platform by its link" not in manager.get(url).content.decode()
    sona = manager.get(f"{url}&provider=link-sona")
    chosen = {name: chosen for name, _, chosen in sona.context["linked"]}
    assert chosen["sona"] and not chosen["connect"]
    manager.post(
        f"{url}&provider=link-sona",
        with_amounts(sona)
        | {"name": "a", "preset": "paid", "by_link.back": "https://sona.example/?c=%SURVEY_CODE%"},
    )
    made = settings_of(Batch.objects.get())
    assert (made.crowd.provider, made.currency) == ("link", "USD")
    assert (made.by_link.participant, made.by_link.assignment) == ("survey_code", "")
    assert made.by_link.back == "https://sona.example/?c=%SURVEY_CODE%"
    assert made.screening.completed == 0


def test_whoever_chooses_the_link_in_the_form_keeps_what_it_proposes(
    manager: Client, project: Project
) -> None:
    url = address(project, "paid")
    manager.post(url, filled(manager, url, name="a", preset="paid", crowd__provider="link"))
    assert settings_of(Batch.objects.get()).by_link.participant == "participantId"


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("back", "c.example"),
        ("back", "https://c.example/%WHO%"),
        ("code", "two words"),
        ("participant", "a=b"),
    ],
)
def test_what_cannot_be_used_of_a_link_is_said_at_its_field(
    manager: Client, project: Project, name: str, wrong: str
) -> None:
    url = f"{address(project, 'paid')}&provider=link"
    typed = with_amounts(manager.get(url)) | {"name": "a", "preset": "paid", f"by_link.{name}": wrong}
    reply = manager.post(url, typed)
    assert reply.status_code == 422 and f"by_link.{name}" in reply.context["form"].errors


def test_a_currency_without_a_proposal_has_no_amounts(manager: Client, project: Project) -> None:
    url = address(project, "paid")
    typed = with_amounts(manager.get(url)) | {"name": "a", "preset": "paid", "currency": "JPY"}
    again = with_amounts(manager.post(url, typed))
    assert (again["crowd.hourly_wage"], again["reward.link"]) == ("", "")


def test_typed_amounts_stay_in_another_currency_and_are_asked_again(
    manager: Client, project: Project
) -> None:
    url = address(project, "paid")
    typed = with_amounts(manager.get(url)) | {
        **{"name": "a", "preset": "paid", "currency": "USD"},
        **{"reward.link": "0.99", "crowd.cap": "50"},
    }
    reply = manager.post(url, typed)
    again = with_amounts(reply)
    assert (again["reward.link"], again["crowd.cap"]) == ("0.99", "50")
    assert again["reward.drawing"] == "0.45"
    assert "Those that you typed are as you typed them." in reply.content.decode()


def test_another_platform_brings_its_record_unless_one_was_typed(
    manager: Client, project: Project, settings: Settings
) -> None:
    """500 tasks of which 95% were approved would leave out most of Prolific's participants."""
    settings.MTURK = account()
    url = address(project, "paid") + "&provider=mturk"
    shown = with_amounts(manager.get(url)) | {"name": "a", "preset": "paid"}
    record = "screening.completed", "screening.approval"
    assert [shown[name] for name in record] == ["500", "0.95"]
    again = with_amounts(manager.post(url, shown | {"crowd.provider": "prolific"}))
    assert [again[name] for name in record] == ["0", "0.0"]
    typed = shown | {"screening.completed": "50", "crowd.provider": "prolific"}
    again = with_amounts(manager.post(url, typed))
    assert [again[name] for name in record] == ["50", "0.0"]
    back = with_amounts(manager.post(url, again | {"crowd.provider": "mturk"}))
    assert [back[name] for name in record] == ["50", "0.95"]


def test_a_copy_in_another_currency_keeps_no_amount(manager: Client, project: Project) -> None:
    url = address(project, "paid")
    manager.post(url, with_amounts(manager.get(url)) | {"name": "a", "preset": "paid"})
    url = reverse("batches:clone", args=[Batch.objects.get().pk])
    again = with_amounts(manager.post(url, with_amounts(manager.get(url)) | {"currency": "EUR"}))
    assert again["reward.link"] == ""


def test_the_page_of_a_platform_begins_with_its_currency(manager: Client, project: Project) -> None:
    form = manager.get(address(project, "paid") + "&provider=prolific").context["form"]
    assert (form["currency"].value(), form["crowd.hourly_wage"].value()) == ("GBP", "9.00")


def test_a_platform_without_an_account_says_what_is_missing_and_how_to_go_without(
    manager: Client, project: Project, settings: Settings
) -> None:
    """The form took hours of work until its launch said that there is no account."""
    page = " ".join(manager.get(address(project, "paid")).content.decode().split())
    assert page.count("This server has no account there, so no batch for it can be launched.") == 1
    way = "?preset=paid&protocol=flickr30k-entities&provider=link-prolific"
    assert f'<a href="{way.replace("&", "&amp;")}">go without one</a>' in page
    chosen = manager.get(reverse("batches:new", args=[project.pk]) + way).context
    assert chosen["form"].paid_by == "link" and [name for name, _, on in chosen["linked"] if on] == [
        "prolific"
    ]
    settings.PROLIFIC = ProlificAccount("https://127.0.0.1:1", Environment.EMULATOR, "token")
    assert "no account there" not in manager.get(address(project, "paid")).content.decode()


def test_the_preset_of_the_batch_before_is_kept(manager: Client, project: Project) -> None:
    new = reverse("batches:new", args=[project.pk])
    assert manager.get(new).context["preset"] == "paper"
    make_image(project, [])
    captions = {"protocol": "captions", "regime": "open", "screening": {"test": False}}
    make_batch(project, name="write-1", launch=False, **captions)
    assert manager.get(new).context["preset"] == "known", "everybody's judgments counted"
    url = address(project, "paid") + "&protocol=entities-fast&provider=prolific"
    manager.post(url, filled(manager, url, name="p", preset="paid", protocol="entities-fast"))
    context = manager.get(new).context
    assert (context["preset"], context["form"].stages_of) == ("paid", "entities-fast")
    assert context["form"].paid_by == "prolific"


def test_a_name_is_proposed_that_is_not_taken(manager: Client, project: Project) -> None:
    new, campaign = (reverse(f"batches:{page}", args=[project.pk]) for page in ("new", "campaign"))
    assert manager.get(new).context["which"]["name"].value() == "main"
    assert manager.get(campaign).context["form"]["name"].value() == "captions"
    batch = make_batch(project, name="main", launch=False)
    assert manager.get(new).context["which"]["name"].value() == "main-2"
    clone = reverse("batches:clone", args=[batch.pk])
    assert manager.get(clone).context["which"]["name"].value() == "main-2"
    Batch.objects.create(project=project, name="main-2", settings={})
    assert manager.get(clone).context["which"]["name"].value() == "main-3"


def choosing(manager: Client, shown: str, card: str, **typed: Any) -> dict[str, Any]:
    """Type into the page at one address, choose a card, and return what the form shows then."""
    page = manager.get(shown)
    form = page.context["form"]
    hidden = {
        "preset": page.context["preset"],
        "stages_of": form.stages_of,
        "amounts_in": form.amounts_in,
        "paid_by": form.paid_by,
    }
    sent = {**hidden, **filled(manager, shown, **typed), "choose": "1"}
    reply = manager.post(card, {name: value for name, value in sent.items() if value not in (None, False)})
    assert reply.status_code == 200 and not Batch.objects.exists(), "nothing is made"
    assert not reply.context["form"].errors and not reply.context["which"].errors
    said = re.search("Amounts were in [A-Z]{3}; they are in [A-Z]{3} now[.]", reply.content.decode())
    return {
        **filled_again(reply),
        "preset": reply.context["preset"],
        "paid_by": reply.context["form"].paid_by,
        "says": said.group() if said else "",
    }


@pytest.mark.parametrize(
    "card", ["preset=paid&protocol=flickr30k-entities", "preset=known&protocol=entities-fast"]
)
def test_another_card_keeps_what_was_typed(manager: Client, project: Project, card: str) -> None:
    """All images were launched, where a sample of two had been typed before another card was chosen."""
    url = address(project, "known")
    to = f"{reverse('batches:new', args=[project.pk])}?{card}"
    images = {"name": "mine", "take": "number", "number": "2", "split": "val", "names": "0.jpg"}
    others = {"target": "9", "author_after_hours": "7", "skip_requirement": ["people"]}
    typed: dict[str, Any] = {**images, **others}
    found = choosing(manager, url, to, **typed, pictured=None)
    assert {name: found[name] for name in typed if name != "author_after_hours"} == {
        name: value for name, value in typed.items() if name != "author_after_hours"
    }
    assert "pictured" not in found
    assert f"preset={found['preset']}&protocol={found['protocol']}" == card
    # What the card itself sets is as the card has it.
    same = preset_settings("known").author_after_hours == preset_settings(found["preset"]).author_after_hours
    usual = filled(manager, to)["author_after_hours"]
    assert found["author_after_hours"] == ("7" if same else usual)


def test_what_was_not_typed_follows_the_card(manager: Client, project: Project) -> None:
    url, paid = address(project, "known"), address(project, "paid")
    found = choosing(manager, url, paid)
    usual = filled(manager, paid)
    assert found == {**usual, "preset": "paid", "paid_by": "prolific", "says": ""}
    assert found["name"] == "paid", "a name that was proposed is no typed one"


def test_an_amount_that_was_typed_comes_along_into_another_currency_with_a_word(
    manager: Client, project: Project, settings: Settings
) -> None:
    """The cap was emptied and the wage reset in silence when another card changed the currency."""
    settings.MTURK = account()
    new = f"{reverse('batches:new', args=[project.pk])}?preset=paid&protocol=flickr30k-entities&provider="
    typed = {"crowd__cap": "40", "crowd__hourly_wage": "9.90", "name": "mine"}
    there = choosing(manager, f"{new}prolific", f"{new}mturk", **typed)
    assert filled(manager, f"{new}prolific")["currency"] == "GBP"
    assert there["name"] == "mine" and there["currency"] == "USD"
    assert (there["crowd.cap"], there["crowd.hourly_wage"]) == ("40", "9.90")
    assert there["says"] == "Amounts were in GBP; they are in USD now."
    untyped = choosing(manager, f"{new}prolific", f"{new}mturk")
    assert untyped["crowd.hourly_wage"] == "12.00" and not untyped["says"], "a proposal is another one"
    fast = new.replace("flickr30k-entities", "entities-fast")
    same = choosing(manager, f"{new}prolific", f"{fast}prolific", **typed)
    assert same["crowd.cap"] == "40" and not same["says"]
    other = choosing(manager, f"{new}prolific", f"{fast}prolific", **typed, currency="CHF")
    assert other["currency"] == "CHF" and other["crowd.cap"] == "40"
    mturk = choosing(manager, f"{new}prolific", f"{fast}prolific", crowd__provider="mturk")
    assert mturk["crowd.provider"] == "mturk", "a platform that was chosen stays with another protocol"


def test_people_whom_one_invites_are_a_card_that_keeps_everything(manager: Client, project: Project) -> None:
    """Whoever chose *direct*, then another protocol, was back at Prolific with an empty cap."""
    new = f"{reverse('batches:new', args=[project.pk])}?preset=paid&protocol=flickr30k-entities&provider="
    typed = {"crowd__cap": "25", "crowd__hourly_wage": "10"}
    direct = choosing(manager, f"{new}prolific", f"{new}direct", **typed)
    assert (direct["crowd.provider"], direct["paid_by"], direct["currency"]) == ("direct", "direct", "GBP")
    assert (direct["crowd.cap"], direct["crowd.hourly_wage"], direct["says"]) == ("25", "10", "")
    page = manager.get(f"{new}direct").content.decode()
    assert re.findall(r'<li class="card chosen"><h3><a href="[^"]*provider=([a-z]+)"', page) == ["direct"]
    fast = new.replace("flickr30k-entities", "entities-fast")
    again = choosing(manager, f"{new}direct", f"{fast}direct", **typed)
    assert (again["crowd.provider"], again["crowd.cap"]) == ("direct", "25")
