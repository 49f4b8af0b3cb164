package dev.nonbis.core.dispatch;

/** The rules of every topic as they are now. */
@FunctionalInterface
public interface Topics {

    /** Every topic has the default rules. */
    Topics DEFAULTS = topic -> TopicRules.DEFAULTS;

    TopicRules of(String topic);
}
