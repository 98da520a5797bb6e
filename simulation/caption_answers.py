"""What simulated workers write about photographs, and what they say about captions."""

import random
from difflib import get_close_matches
from typing import Any

from annotation.domain.answers import CampaignStage, CaptionJudgment
from simulation.questions import Question
from simulation.truth import Truth

ALIKE = 0.9
"""How much of two captions is the same if one is the other with mistakes (difflib's ratio)."""
PASTED = "A man and a woman are outside ."
"""What a copier writes about every photograph."""
FOREIGN = (
    "Ein Mann steht auf einer Wiese und wirft einem Hund einen roten Ball zu .",
    "Zwei Kinder spielen am Strand und bauen eine große Burg aus Sand .",
    "Eine Frau mit einem gelben Hut sitzt auf einer Bank und liest eine Zeitung .",
    "Ein Koch schneidet in der Küche Gemüse für eine Suppe .",
    "Mehrere Leute warten an der Straße auf den nächsten Bus .",
)
_MIN_LETTERS = 5
_MISTAKES = 2


def write_caption(question: Question, truth: Truth, wrong: bool, rng: random.Random) -> dict[str, Any]:
    """Write a caption that is true of the photograph; if `wrong`, with slips of the keys.

    In the language test, correct the sentence; if `wrong`, overlook its mistake and change something else.
    """
    if question.correct is not None:
        return {"caption": _corrected(question.correct, truth, wrong)}
    caption = rng.choice(truth.captions.get(question.image) or (PASTED,))
    return {"caption": misspell(caption, rng) if wrong else caption}


def write_about_another(question: Question, truth: Truth, rng: random.Random) -> dict[str, Any]:
    """Write a caption of another photograph."""
    others = sorted(set(truth.captions) - {question.image})
    return {"caption": rng.choice([text for image in others for text in truth.captions[image]] or [PASTED])}


def judge_captions(
    stage: str, question: Question, truth: Truth, wrong: bool, rng: random.Random
) -> dict[str, Any]:
    """Say of the captions that are shown whether they describe the photograph."""
    fits = [_fit(text, truth.captions.get(question.image, ())) for text in question.captions]
    match stage:
        case CampaignStage.CAPTION_CHECK:
            says = list(CaptionJudgment)
            right = fits[0]
            return {"caption": str(rng.choice([one for one in says if one != right]) if wrong else right)}
        case CampaignStage.GRADING:
            grade = {CaptionJudgment.RIGHT: 4, CaptionJudgment.MINOR: 3}.get(fits[0], 1)
            return {"grade": rng.choice([one for one in range(1, 5) if one != grade]) if wrong else grade}
    describes = [fit != CaptionJudgment.WRONG for fit in fits]
    if wrong:
        place = rng.randrange(len(describes))
        describes[place] = not describes[place]
    return {"describes": describes}


def misspell(text: str, rng: random.Random) -> str:
    """Return the caption with two letters swapped in up to two of its longer words."""
    words = text.split(" ")
    longer = [at for at, word in enumerate(words) if len(word) >= _MIN_LETTERS and word.isalpha()]
    for at in rng.sample(longer, min(_MISTAKES, len(longer))):
        word = words[at]
        places = [n for n in range(1, len(word) - 2) if word[n] != word[n + 1]]
        if places:
            n = rng.choice(places)
            words[at] = word[:n] + word[n + 1] + word[n] + word[n + 2 :]
    return " ".join(words)


def meant(text: str, captions: tuple[str, ...]) -> str | None:
    """Return which of these captions the text is, perhaps with mistakes, or None."""
    if text in captions:
        return text
    return next(iter(get_close_matches(text, captions, n=1, cutoff=ALIKE)), None)


def _fit(text: str, captions: tuple[str, ...]) -> CaptionJudgment:
    if text in captions:
        return CaptionJudgment.RIGHT
    return CaptionJudgment.WRONG if meant(text, captions) is None else CaptionJudgment.MINOR


def _corrected(sentence: str, truth: Truth, wrong: bool) -> str:
    """Return the sentence without its mistake, or, if `wrong`, with another word before it."""
    right = truth.corrections.get(sentence)
    return f"Now {sentence[:1].lower()}{sentence[1:]}" if wrong or right is None else right
