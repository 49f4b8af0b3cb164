package dev.nonbis.core.idempotency;

import dev.nonbis.core.identity.TenantId;

/** Where a key means one thing: the same characters under another tenant or operation are another key. */
public record KeyScope(TenantId tenant, Operation operation, IdempotencyKey key) {}
