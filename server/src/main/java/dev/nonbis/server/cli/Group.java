package dev.nonbis.server.cli;

import picocli.CommandLine.Command;

/** Commands that only hold others. */
final class Group {

    private Group() {}

    @Command(name = "job", description = "Submit and follow jobs.", mixinStandardHelpOptions = true)
    static final class Job {}

    @Command(
            name = "approvals",
            description = "See and decide what waits for a human.",
            mixinStandardHelpOptions = true)
    static final class Approvals {}

    @Command(
            name = "dlq",
            description = "See and retry jobs that ran out of attempts.",
            mixinStandardHelpOptions = true)
    static final class DeadLetters {}

    @Command(name = "workflow", description = "Store and show workflows.", mixinStandardHelpOptions = true)
    static final class Workflow {}

    @Command(name = "run", description = "Start and follow workflow runs.", mixinStandardHelpOptions = true)
    static final class Run {}

    @Command(name = "key", description = "Look at and release idempotency keys.", mixinStandardHelpOptions = true)
    static final class Key {}

    @Command(name = "limits", description = "Set a tenant's limits.", mixinStandardHelpOptions = true)
    static final class Limits {}

    @Command(name = "config", description = "Check a configuration.", mixinStandardHelpOptions = true)
    static final class Config {}

    @Command(name = "policy", description = "Check and explain policies.", mixinStandardHelpOptions = true)
    static final class Policy {}

    @Command(name = "payment", description = "Ask for payments and look at them.", mixinStandardHelpOptions = true)
    static final class Payment {}

    @Command(name = "budget", description = "Look at what agents may spend.", mixinStandardHelpOptions = true)
    static final class Budget {}

    @Command(name = "receipt", description = "Check receipts.", mixinStandardHelpOptions = true)
    static final class Receipt {}

    @Command(name = "signing-key", description = "Rotate the keys that sign.", mixinStandardHelpOptions = true)
    static final class SigningKey {}

    @Command(name = "audit", description = "Export and verify the audit log.", mixinStandardHelpOptions = true)
    static final class Audit {}
}
