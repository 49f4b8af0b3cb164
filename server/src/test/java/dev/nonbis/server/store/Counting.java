package dev.nonbis.server.store;

import static dev.nonbis.testkit.store.ContractTables.AUDIT;
import static dev.nonbis.testkit.store.ContractTables.KEYS;
import static dev.nonbis.testkit.store.ContractTables.TENANTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.StoreUnavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/** Clients that claim keys for owners while something fails. Each key counts its owner's row up once, and writes an event. */
public final class Counting {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final int CLIENTS = 8;

    private final Stores stores;
    private final List<String> owners;
    private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean done = new AtomicBoolean();
    private final List<Future<Integer>> clients = new ArrayList<>();

    /** Which store is used next. */
    public interface Stores {
        Store next();
    }

    private Counting(Stores stores, List<String> owners) {
        this.stores = stores;
        this.owners = owners;
    }

    /** Starts them; they use the stores in turn, as if each were a server. */
    public static Counting by(Stores stores, List<String> owners, ExecutorService callers) {
        for (var owner : owners) {
            stores.next().transact(List.of(TENANTS.row(owner)), tx -> {
                tx.insert(TENANTS, owner, "|0");
                return true;
            });
        }
        var counting = new Counting(stores, owners);
        for (int i = 0; i < CLIENTS; i++) {
            var name = "c" + i;
            Callable<Integer> client = () -> counting.countUntilDone(name);
            counting.clients.add(callers.submit(client));
        }
        return counting;
    }

    public void awaitMore(int keys) {
        int before = acknowledged.size();
        await().atMost(SOON).until(() -> acknowledged.size() > before + keys);
    }

    /** Nothing that was acknowledged is lost, and nothing was done twice. */
    public void endAndCheck() throws InterruptedException, ExecutionException {
        done.set(true);
        for (var client : clients) {
            client.get();
        }
        var store = stores.next();
        var found = new HashSet<String>();
        for (var owner : owners) {
            var keys = store
                    .read(tx ->
                            tx.scan(Range.keysStartingWith(KEYS, owner + "/").limit(1_000_000)))
                    .stream()
                    .map(Range.Hit::key)
                    .toList();
            found.addAll(keys);
            assertThat(store.find(TENANTS, owner)).contains("|" + keys.size());
            int events = store.read(
                    tx -> tx.scan(Range.keysStartingWith(AUDIT, owner + "/").limit(1_000_000))
                            .size());
            assertThat(events).isEqualTo(keys.size());
        }
        assertThat(found).containsAll(acknowledged);
    }

    // One key after the other, each until it is known to be settled, as a client does that sends again.
    private int countUntilDone(String name) {
        int number = 0;
        while (!done.get()) {
            var owner = owners.get(number % owners.size());
            var key = owner + "/" + name + "-" + number;
            try {
                stores.next().transact(List.of(TENANTS.row(owner), KEYS.row(key)), tx -> {
                    if (tx.find(KEYS, key).isEmpty()) {
                        int next = Integer.parseInt(tx.get(TENANTS, owner).substring(1)) + 1;
                        tx.insert(KEYS, key, "|" + next);
                        tx.update(TENANTS, owner, "|" + next);
                        tx.insert(AUDIT, owner + "/%08d".formatted(next), "|" + key);
                    }
                    return key;
                });
                acknowledged.add(key);
                number++;
            } catch (StoreUnavailable e) {
                // Sent again with the same key.
            }
        }
        return number;
    }
}
