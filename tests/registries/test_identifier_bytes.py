"""Identifiers are told apart by their bytes, on whichever database the suite runs (ruling 3)."""

from itertools import permutations

import pytest
from django.db import IntegrityError, connection, transaction

from registries.models import DefinitionScope, OperationDefinition
from taskstatus.fields import MARIADB_COLLATION, MYSQL_COLLATION, IdentifierField

LOOKALIKES = ("Evt-1", "evt-1", "EVT-1", "é", "e", "E", "e\u0301", "a", "a ", "a  ", "ß", "ss", "\uff21", "A")

pytestmark = pytest.mark.django_db


@pytest.mark.accepts("C31")
def test_lookalikes_are_different_ids():
    DefinitionScope.objects.bulk_create(DefinitionScope(tenant_id=one, authority_scope="s") for one in LOOKALIKES)
    for one in LOOKALIKES:
        found = DefinitionScope.objects.filter(tenant_id=one).values_list("tenant_id", flat=True)
        assert list(found) == [one]


@pytest.mark.accepts("C31")
def test_lookalikes_are_told_apart_in_a_set_of_ids():
    DefinitionScope.objects.bulk_create(DefinitionScope(tenant_id=one, authority_scope="s") for one in LOOKALIKES)
    found = DefinitionScope.objects.filter(tenant_id__in=["a ", "evt-1", "e"])
    assert {row.tenant_id for row in found} == {"a ", "evt-1", "e"}


def test_the_same_id_twice_is_one():
    DefinitionScope.objects.create(tenant_id="a ", authority_scope="s")
    with pytest.raises(IntegrityError), transaction.atomic():
        DefinitionScope.objects.create(tenant_id="a ", authority_scope="s")


def test_ids_of_two_tables_are_compared_as_bytes_too():
    scope = DefinitionScope.objects.create(tenant_id="A", authority_scope="a ")
    for code in ("A", "a", "A "):
        OperationDefinition.objects.create(scope=scope, code=code, version=1, failure_policy="FAIL_TASK")
    query = (
        "SELECT o.code FROM operation_definition o JOIN definition_scope s ON o.code = s.tenant_id"
        " UNION ALL SELECT o.code FROM operation_definition o JOIN definition_scope s"
        " ON o.code = s.authority_scope"
    )
    with connection.cursor() as cursor:
        cursor.execute(query)
        assert list(cursor.fetchall()) == [("A",)]


def test_the_order_of_ids_is_that_of_their_bytes():
    for one, other in permutations(("Z", "a"), 2):
        DefinitionScope.objects.create(tenant_id=one, authority_scope=other)
    ordered = DefinitionScope.objects.order_by("tenant_id").values_list("tenant_id", flat=True)
    assert list(ordered) == ["Z", "a"]


def test_the_column_names_the_servers_own_collation():
    if connection.vendor != "mysql":
        pytest.skip("this database compares bytes without being told")
    expected = MARIADB_COLLATION if connection.mysql_is_mariadb else MYSQL_COLLATION
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT collation_name FROM information_schema.columns WHERE table_schema = DATABASE()"
            " AND table_name = 'definition_scope' AND column_name = 'tenant_id'"
        )
        assert cursor.fetchone() == (expected,)


def test_a_migration_says_nothing_of_the_database_that_it_was_made_on():
    _name, path, args, options = IdentifierField(max_length=64).deconstruct()
    assert (path, args, options) == ("taskstatus.fields.IdentifierField", [], {"max_length": 64})
