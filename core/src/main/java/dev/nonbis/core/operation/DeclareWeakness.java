package dev.nonbis.core.operation;

import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.identity.Subject;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.Tables;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue;
import dev.nonbis.json.JsonValue.JsonString;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Tells every tenant, in its own log, that the store it relies on may lose what was acknowledged. */
public final class DeclareWeakness {

    private final Ports ports;

    public DeclareWeakness(Ports ports) {
        this.ports = ports;
    }

    /**
     * Appends one event for each tenant that is known.
     *
     * @param expected tenants that may call, whether they have done so or not
     * @param weaknesses a sentence each
     */
    public void declare(Set<TenantId> expected, List<String> weaknesses) {
        var now = ports.clock().instant();
        var sentences = new ArrayList<JsonValue>();
        weaknesses.forEach(sentence -> sentences.add(new JsonString(sentence)));
        var data =
                JsonObject.builder().put("weaknesses", new JsonArray(sentences)).build();
        var tenants = new LinkedHashSet<>(expected);
        tenants.addAll(stored());
        for (var tenant : tenants) {
            ports.store().transact(List.of(Tables.TENANTS.row(tenant)), tx -> {
                var draft = new AuditEvent.Draft(
                        now,
                        "durability.relaxed",
                        Subject.system("start"),
                        "store",
                        Optional.empty(),
                        Optional.empty(),
                        data);
                return Audit.append(tx, tenant, draft);
            });
        }
    }

    private List<TenantId> stored() {
        return AllRows.in(ports.store(), Range.keysStartingWith(Tables.TENANTS, ""))
                .map(hit -> new TenantId(hit.key()))
                .toList();
    }
}
