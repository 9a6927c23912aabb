"""Faults: what production does to a tool call. One file a fault, and one line here."""

from __future__ import annotations

from passhat.faults import sets
from passhat.faults.auth_expired import AuthExpired
from passhat.faults.base import Fault
from passhat.faults.conflict import Conflict
from passhat.faults.connection_refused import ConnectionRefused
from passhat.faults.connection_reset import ConnectionReset
from passhat.faults.corrupted_value import CorruptedValue
from passhat.faults.doubled_step import DoubledStep
from passhat.faults.dropped_step import DroppedStep
from passhat.faults.duplicate_delivery import DuplicateDelivery
from passhat.faults.empty_result import EmptyResult
from passhat.faults.error_in_200 import ErrorIn_200
from passhat.faults.forbidden import Forbidden
from passhat.faults.html_error_page import HtmlErrorPage
from passhat.faults.late_reply import LateReply
from passhat.faults.latency import Latency
from passhat.faults.lost_owner import LostOwner
from passhat.faults.lost_page import LostPage
from passhat.faults.lost_reply import LostReply
from passhat.faults.lost_request import LostRequest
from passhat.faults.malformed_json import MalformedJson
from passhat.faults.memory_drift import MemoryDrift
from passhat.faults.null_result import NullResult
from passhat.faults.out_of_order import OutOfOrder
from passhat.faults.partial_result import PartialResult
from passhat.faults.placebo import Placebo
from passhat.faults.prompt_injection import PromptInjection
from passhat.faults.quota_exhausted import QuotaExhausted
from passhat.faults.rate_limit import RateLimit
from passhat.faults.read_your_write_miss import ReadYourWriteMiss
from passhat.faults.schema_drift import SchemaDrift
from passhat.faults.server_error import ServerError
from passhat.faults.stale_read import StaleRead
from passhat.faults.stream_cut import StreamCut
from passhat.faults.truncated_context import TruncatedContext
from passhat.faults.truncated_text import TruncatedText
from passhat.faults.wrong_entity import WrongEntity
from passhat.faults.wrong_tool import WrongTool

auth_expired = AuthExpired
conflict = Conflict
connection_refused = ConnectionRefused
connection_reset = ConnectionReset
corrupted_value = CorruptedValue
doubled_step = DoubledStep
dropped_step = DroppedStep
duplicate_delivery = DuplicateDelivery
empty_result = EmptyResult
error_in_200 = ErrorIn_200
forbidden = Forbidden
html_error_page = HtmlErrorPage
latency = Latency
late_reply = LateReply
lost_owner = LostOwner
lost_page = LostPage
lost_reply = LostReply
lost_request = LostRequest
malformed_json = MalformedJson
memory_drift = MemoryDrift
null_result = NullResult
out_of_order = OutOfOrder
partial_result = PartialResult
placebo = Placebo
prompt_injection = PromptInjection
quota_exhausted = QuotaExhausted
rate_limit = RateLimit
read_your_write_miss = ReadYourWriteMiss
schema_drift = SchemaDrift
server_error = ServerError
stale_read = StaleRead
stream_cut = StreamCut
truncated_context = TruncatedContext
truncated_text = TruncatedText
wrong_entity = WrongEntity
wrong_tool = WrongTool

FAULTS: dict[str, type[Fault]] = {
    "auth_expired": AuthExpired,
    "conflict": Conflict,
    "connection_refused": ConnectionRefused,
    "connection_reset": ConnectionReset,
    "corrupted_value": CorruptedValue,
    "doubled_step": DoubledStep,
    "dropped_step": DroppedStep,
    "duplicate_delivery": DuplicateDelivery,
    "empty_result": EmptyResult,
    "error_in_200": ErrorIn_200,
    "forbidden": Forbidden,
    "html_error_page": HtmlErrorPage,
    "latency": Latency,
    "late_reply": LateReply,
    "lost_owner": LostOwner,
    "lost_page": LostPage,
    "lost_reply": LostReply,
    "lost_request": LostRequest,
    "malformed_json": MalformedJson,
    "memory_drift": MemoryDrift,
    "null_result": NullResult,
    "out_of_order": OutOfOrder,
    "partial_result": PartialResult,
    "placebo": Placebo,
    "prompt_injection": PromptInjection,
    "quota_exhausted": QuotaExhausted,
    "rate_limit": RateLimit,
    "read_your_write_miss": ReadYourWriteMiss,
    "schema_drift": SchemaDrift,
    "server_error": ServerError,
    "stale_read": StaleRead,
    "stream_cut": StreamCut,
    "truncated_context": TruncatedContext,
    "truncated_text": TruncatedText,
    "wrong_entity": WrongEntity,
    "wrong_tool": WrongTool,
}

__all__ = [
    "FAULTS",
    "AuthExpired",
    "Conflict",
    "ConnectionRefused",
    "ConnectionReset",
    "CorruptedValue",
    "DoubledStep",
    "DroppedStep",
    "DuplicateDelivery",
    "EmptyResult",
    "ErrorIn_200",
    "Fault",
    "Forbidden",
    "HtmlErrorPage",
    "LateReply",
    "Latency",
    "LostOwner",
    "LostPage",
    "LostReply",
    "LostRequest",
    "MalformedJson",
    "MemoryDrift",
    "NullResult",
    "OutOfOrder",
    "PartialResult",
    "Placebo",
    "PromptInjection",
    "QuotaExhausted",
    "RateLimit",
    "ReadYourWriteMiss",
    "SchemaDrift",
    "ServerError",
    "StaleRead",
    "StreamCut",
    "TruncatedContext",
    "TruncatedText",
    "WrongEntity",
    "WrongTool",
    "auth_expired",
    "conflict",
    "connection_refused",
    "connection_reset",
    "corrupted_value",
    "doubled_step",
    "dropped_step",
    "duplicate_delivery",
    "empty_result",
    "error_in_200",
    "forbidden",
    "html_error_page",
    "late_reply",
    "latency",
    "lost_owner",
    "lost_page",
    "lost_reply",
    "lost_request",
    "malformed_json",
    "memory_drift",
    "null_result",
    "out_of_order",
    "partial_result",
    "placebo",
    "prompt_injection",
    "quota_exhausted",
    "rate_limit",
    "read_your_write_miss",
    "schema_drift",
    "server_error",
    "sets",
    "stale_read",
    "stream_cut",
    "truncated_context",
    "truncated_text",
    "wrong_entity",
    "wrong_tool",
]
