"""Every state in which a person can find the page, each opened before a running stack and left again.

What a test holds against rules and what documents show as pictures are the same states.
"""

import page_person_states
import page_stack_states
from page_state import STATES

__all__ = ["STATES", "page_person_states", "page_stack_states"]
