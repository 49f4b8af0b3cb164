package dev.nonbis.core.dispatch;

import dev.nonbis.core.identity.Worker;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonSlice;
import dev.nonbis.json.JsonValue;
import dev.nonbis.json.Sha256;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/** What became of one execution, as its worker told it first. */
public record Result(Content content, int fence, Worker worker, Instant at, String requestId) {

    /** How a worker says that it ended. */
    public enum Status {
        SUCCEEDED,
        FAILED,
        /** Nothing lasting happened, or nothing that the same key would not absorb: try again. */
        RETRYABLE;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What the worker said; what it sent is kept as text. */
    public record Content(Status status, Optional<JsonSlice> output, Optional<JsonSlice> error) {

        public static Content of(Status status, Optional<JsonValue> output, Optional<JsonValue> error) {
            return new Content(status, written(output), written(error));
        }

        private static Optional<JsonSlice> written(Optional<JsonValue> value) {
            return value.map(Json::write).map(JsonSlice::of);
        }

        /** The same for the same content, whatever the order of members. */
        public String hash() {
            return Sha256.hex(Json.canonical(JsonObject.builder()
                    .put("status", status.word())
                    .putValue("output", output.map(JsonSlice::parse))
                    .putValue("error", error.map(JsonSlice::parse))
                    .build()));
        }
    }

    /** Whether this is what the worker is saying again. */
    public boolean isRepeatedBy(Content other) {
        return content.hash().equals(other.hash());
    }
}
