"""What a library complains of in its log."""

import logging


class Complaints(logging.Handler):
    """Keeps warnings and errors."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.records = []

    def emit(self, record):
        self.records.append(self.format(record))
