"""Collects the warnings and errors that a library logs."""

import logging


class Complaints(logging.Handler):
    def __init__(self):
        super().__init__(logging.WARNING)
        self.records = []

    def emit(self, record):
        self.records.append(self.format(record))
