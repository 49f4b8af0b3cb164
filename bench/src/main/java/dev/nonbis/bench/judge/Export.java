package dev.nonbis.bench.judge;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.JsonNode;

/** What the API tells when everything is over, by tenant. */
public record Export(Map<String, OfTenant> tenants) {

    OfTenant of(String tenant) {
        return Objects.requireNonNull(tenants.get(tenant), tenant);
    }

    /**
     * All of one tenant.
     *
     * @param jobs by id, as read one by one, each with its timeline under {@code timeline}
     * @param payments by id
     * @param approvals by the id of what they are about
     * @param audit the whole log, in order
     */
    public record OfTenant(
            Map<String, JsonNode> jobs,
            Map<String, JsonNode> runs,
            Map<String, JsonNode> payments,
            Map<String, JsonNode> approvals,
            List<JsonNode> audit,
            JsonNode auditHead) {

        public static OfTenant empty(JsonNode head) {
            return new OfTenant(
                    new LinkedHashMap<>(),
                    new LinkedHashMap<>(),
                    new LinkedHashMap<>(),
                    new LinkedHashMap<>(),
                    new ArrayList<>(),
                    head);
        }
    }
}
