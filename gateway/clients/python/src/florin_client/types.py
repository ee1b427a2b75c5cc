"""What requests and responses are made of, by the names of the reference: amounts are integers in the smallest unit as text, times ISO 8601."""

from .generated.types import *  # noqa: F403
