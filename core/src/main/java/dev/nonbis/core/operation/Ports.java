package dev.nonbis.core.operation;

import dev.nonbis.core.identity.Ids;
import dev.nonbis.core.policy.Policy;
import dev.nonbis.core.run.Expressions;
import dev.nonbis.core.signing.Signer;
import dev.nonbis.core.store.Store;
import java.time.InstantSource;

/** Everything an operation touches outside itself. */
public record Ports(
        Store store,
        InstantSource clock,
        Ids ids,
        Policy policy,
        Expressions expressions,
        Signer signer,
        Settings settings) {}
