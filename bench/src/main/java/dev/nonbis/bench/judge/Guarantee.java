package dev.nonbis.bench.judge;

/** What is promised over any history. */
public enum Guarantee {
    G1("one effect per tenant, operation and key within its retention"),
    G2("every acknowledged write survives"),
    G3("all answers to one key and body are identical"),
    G4("a refusal leaves no trace"),
    G5("at most one accepted result per job, from the highest fence"),
    G6("states follow the table, terminal states never change, and nothing is published that no state promised"),
    G7("one decision per approval; decision, labels, state and audit agree"),
    G8("active runs never pass the limit"),
    G9("spent never passes a budget"),
    G10("a nonce is accepted once"),
    G11("every audit chain verifies, with one event per effect and none per replay"),
    G12("everything that may move does move once faults stop"),
    G13("nothing of one tenant is visible to another");

    private final String words;

    Guarantee(String words) {
        this.words = words;
    }

    public String words() {
        return words;
    }
}
