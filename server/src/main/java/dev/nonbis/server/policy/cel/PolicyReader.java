package dev.nonbis.server.policy.cel;

import dev.nonbis.json.Json;
import dev.nonbis.json.Sha256;
import dev.nonbis.server.policy.cel.PolicyDocument.Data;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Reads a policy, or lists everything that is wrong with it. */
public final class PolicyReader {

    static final int MAX_BYTES = 1024 * 1024;

    private static final List<String> SECTIONS =
            List.of("jobs", "payments", "agents", "providers", "recipients", "budgets", "emergency");

    private final RulesReader jobs = RulesReader.ofJobs();
    private final RulesReader payments = RulesReader.ofPayments();

    /** A policy, or why there is none: at least one complaint, in the order of the file. */
    public sealed interface Result {

        record Accepted(PolicyDocument policy) implements Result {}

        record Refused(List<Complaint> complaints) implements Result {
            public Refused {
                complaints = List.copyOf(complaints);
            }
        }
    }

    /** Reads the content of a file; the name is for complaints only. */
    public Result read(Path file, byte[] content) {
        if (content.length > MAX_BYTES) {
            return refused(file, "the file is larger than " + MAX_BYTES + " bytes");
        }
        try {
            var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content));
            return read(file, text.toString());
        } catch (CharacterCodingException e) {
            return refused(file, "not UTF-8");
        }
    }

    private Result read(Path file, String text) {
        var complaints = new ArrayList<Complaint>();
        var document = YamlEntry.document(file, text, complaints).map(this::document);
        if (document.isPresent() && complaints.isEmpty()) {
            return new Result.Accepted(document.get());
        }
        complaints.sort(Comparator.comparingInt(Complaint::line).thenComparingInt(Complaint::column));
        return new Result.Refused(complaints);
    }

    /** What the document says; counts only when there was no complaint. */
    private PolicyDocument document(YamlEntry root) {
        var sections = root.group(SECTIONS);
        var jobRules = jobs.read(sections.get("jobs"));
        var paymentRules = payments.read(sections.get("payments"));
        Data data = new DataReader().read(sections);
        var form = PolicyForm.of(jobRules, paymentRules, data);
        return new PolicyDocument(jobRules, paymentRules, data, Sha256.hex(Json.canonical(form)));
    }

    private static Result refused(Path file, String reason) {
        return new Result.Refused(List.of(new Complaint(file, 1, 1, "", reason)));
    }
}
