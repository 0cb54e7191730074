"""What each error of asyncpg and of the network means for a call, in one table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum

import asyncpg

from bot.model.database_address import PostgresAddress
from bot.model.errors import DatabaseUnusable


class Kind(Enum):
    """What an error means."""

    LOST = "lost"
    """The connection is lost or useless, or none can be made: another may do, so the call is retried."""
    CONFLICT = "conflict"
    """A concurrent transaction was first: a retry sees what that has written."""
    REFUSED = "refused"
    """The server cannot do it now: its disk is full, or a lock is held; not retried."""
    DENIED = "denied"
    """The server does not let the bot in, until its owner mends that; not retried."""
    FAULT = "fault"
    """A fault of this program."""


KINDS: dict[type[BaseException], Kind] = {
    OSError: Kind.LOST,  # TimeoutError is one
    asyncpg.InterfaceError: Kind.LOST,  # the connection is closed
    asyncpg.UnsupportedClientFeatureError: Kind.FAULT,
    asyncpg.UnsupportedServerFeatureError: Kind.FAULT,
    asyncpg.InternalClientError: Kind.LOST,
    asyncpg.FatalPostgresError: Kind.FAULT,  # of an unknown SQLSTATE
    asyncpg.SQLStatementNotYetCompleteError: Kind.FAULT,
    asyncpg.PostgresConnectionError: Kind.LOST,
    asyncpg.TriggeredActionError: Kind.FAULT,
    asyncpg.FeatureNotSupportedError: Kind.FAULT,
    asyncpg.InvalidCachedStatementError: Kind.CONFLICT,  # with a migration
    asyncpg.InvalidTransactionInitiationError: Kind.FAULT,
    asyncpg.LocatorError: Kind.FAULT,
    asyncpg.InvalidGrantorError: Kind.FAULT,
    asyncpg.InvalidRoleSpecificationError: Kind.FAULT,
    asyncpg.DiagnosticsError: Kind.FAULT,
    asyncpg.InvalidArgumentForXqueryError: Kind.FAULT,
    asyncpg.CaseNotFoundError: Kind.FAULT,
    asyncpg.CardinalityViolationError: Kind.FAULT,
    asyncpg.DataError: Kind.FAULT,
    asyncpg.IntegrityConstraintViolationError: Kind.FAULT,
    asyncpg.UniqueViolationError: Kind.CONFLICT,
    asyncpg.InvalidCursorStateError: Kind.FAULT,
    asyncpg.InvalidTransactionStateError: Kind.FAULT,
    asyncpg.ReadOnlySQLTransactionError: Kind.LOST,  # by the address there may be another server soon
    asyncpg.IdleInTransactionSessionTimeoutError: Kind.LOST,
    asyncpg.TransactionTimeoutError: Kind.LOST,
    asyncpg.InvalidSQLStatementNameError: Kind.FAULT,
    asyncpg.TriggeredDataChangeViolationError: Kind.FAULT,
    asyncpg.InvalidAuthorizationSpecificationError: Kind.DENIED,  # InvalidPasswordError is one
    asyncpg.DependentPrivilegeDescriptorsStillExistError: Kind.FAULT,
    asyncpg.InvalidTransactionTerminationError: Kind.FAULT,
    asyncpg.SQLRoutineError: Kind.FAULT,
    asyncpg.InvalidCursorNameError: Kind.FAULT,
    asyncpg.ExternalRoutineError: Kind.FAULT,
    asyncpg.ExternalRoutineInvocationError: Kind.FAULT,
    asyncpg.SavepointError: Kind.FAULT,
    asyncpg.InvalidCatalogNameError: Kind.DENIED,  # no database of that name
    asyncpg.InvalidSchemaNameError: Kind.FAULT,
    asyncpg.TransactionRollbackError: Kind.CONFLICT,
    asyncpg.StatementCompletionUnknownError: Kind.LOST,
    asyncpg.SyntaxOrAccessError: Kind.FAULT,
    asyncpg.InsufficientPrivilegeError: Kind.DENIED,
    asyncpg.WithCheckOptionViolationError: Kind.FAULT,
    asyncpg.InsufficientResourcesError: Kind.REFUSED,
    asyncpg.ProgramLimitExceededError: Kind.FAULT,
    asyncpg.ObjectNotInPrerequisiteStateError: Kind.REFUSED,  # LockNotAvailableError is one
    asyncpg.CantChangeRuntimeParamError: Kind.FAULT,
    asyncpg.UnsafeNewEnumValueUsageError: Kind.FAULT,
    asyncpg.OperatorInterventionError: Kind.LOST,  # the server is shutting down, or starting
    asyncpg.PostgresSystemError: Kind.REFUSED,
    asyncpg.SnapshotTooOldError: Kind.CONFLICT,
    asyncpg.ConfigFileError: Kind.REFUSED,
    asyncpg.FDWError: Kind.FAULT,
    asyncpg.PLPGSQLError: Kind.FAULT,
    asyncpg.InternalServerError: Kind.FAULT,
}
"""The kind of each class of errors, in order of SQLSTATE; a subclass without an entry is of its base's."""

FAILURES = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError)
"""All errors of a connection."""

NO_ADDRESS = "this is no address of a database"

NO_SESSIONS = (
    "a pooler gives each transaction another connection of the server, and the bot needs its own: connect to "
    "the server itself, or to a pooler in session mode"
)

_READ_ONLY = "the server takes no writes: it is a standby, or its disk is full"


class NoSessionError(asyncpg.InterfaceError):  # type: ignore[misc]  # asyncpg is untyped
    """The settings of a connection are not in force."""


def kind_of(error: BaseException) -> Kind:
    """What the error means; a fault unless it is one of a connection."""
    if isinstance(error, ValueError):
        return Kind.FAULT  # also where it is an InterfaceError: asyncpg cannot encode a value, or no address
    return next((KINDS[each] for each in type(error).__mro__ if each in KINDS), Kind.FAULT)


def reason(error: Exception) -> str:
    """The reason in a few words, without the password or values, which may be cards.

    asyncpg's messages have neither; the server's detail names values, and an address may have a password.
    """
    match error:
        case asyncpg.ReadOnlySQLTransactionError():
            return _READ_ONLY
        case asyncpg.PostgresError():
            return str(error.args[0])
        case TimeoutError():
            return "the server does not answer"
        case OSError():
            return f"the server cannot be reached: {error.strerror or type(error).__name__}"
        case ValueError():
            return NO_ADDRESS
        case NoSessionError():
            return NO_SESSIONS
    return f"the connection was lost ({type(error).__name__})"


def unusable(address: PostgresAddress, error: Exception) -> DatabaseUnusable:
    """The error for a database that cannot be used, without a secret."""
    may_pass = kind_of(error) not in {Kind.DENIED, Kind.FAULT}
    return DatabaseUnusable(address, reason(error), may_pass=may_pass)


@contextmanager
def without_values() -> Iterator[None]:
    """Remove the detail of server errors, which names values: they may be cards, and errors are logged."""
    try:
        yield
    except asyncpg.PostgresError as error:
        error.detail = None
        raise
