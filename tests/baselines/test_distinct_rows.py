"""Rows that k-means can tell apart."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from baselines.distinct_rows import distinct_rows


def test_rows_that_all_differ_are_left_as_they_are() -> None:
    rows = np.random.default_rng(1).random((50, 3))
    found, place = distinct_rows(rows)
    assert found is rows and place.tolist() == list(range(50))


@given(arrays(np.int64, (12, 2), elements=st.integers(-3, 3)), st.sampled_from([1.0, 1e-3, 1e4]))
def test_last_bits_do_not_change_which_rows_are_one(whole: NDArray[np.int64], size: float) -> None:
    noise = 1 + 1e-9 * np.random.default_rng(2).standard_normal(whole.shape)
    _, expected = np.unique(whole, axis=0, return_inverse=True)
    rows, place = distinct_rows(whole * size * noise)
    assert len(rows) == expected.max() + 1
    assert ((place[:, None] == place) == (expected.ravel()[:, None] == expected.ravel())).all()
    np.testing.assert_allclose(rows[place], whole * size, atol=1e-4 * size * 3)
