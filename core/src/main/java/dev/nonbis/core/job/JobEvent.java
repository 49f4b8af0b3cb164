package dev.nonbis.core.job;

/** What can happen to a job. */
public enum JobEvent {
    APPROVE,
    REJECT,
    /** Nobody decided in time. */
    EXPIRE,
    SCHEDULE,
    DISPATCH,
    /** The publish failed. */
    ROLL_BACK,
    START,
    SUCCEED,
    FAIL,
    /** Run the work again: the worker asked for it, went silent or never started. */
    REQUEUE,
    /** A worker had started and never answered, and the work may not be repeated or has been tried too often. */
    LOSE,
    /** Out of attempts with no effect outstanding. */
    EXHAUST,
    /** The deadline has passed and no worker has it. */
    TIME_OUT,
    CANCEL
}
