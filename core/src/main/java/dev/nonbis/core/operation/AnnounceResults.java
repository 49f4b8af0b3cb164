package dev.nonbis.core.operation;

import dev.nonbis.core.bus.Bus.Handed;
import dev.nonbis.core.dispatch.Announcement;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.Tables;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells the bus of recorded results. What is owed was written with the result, and is forgotten when the bus has confirmed it; whoever dies
 * in between leaves it to the next round, which repeats it under the same name.
 */
public final class AnnounceResults {

    private static final int BATCH = 256;

    private final DispatchPorts ports;

    public AnnounceResults(DispatchPorts ports) {
        this.ports = ports;
    }

    /**
     * Tells one batch; returns how many the bus has taken.
     *
     * @throws dev.nonbis.core.bus.BusUnavailable when it did not take all of them
     */
    public int runOnce() {
        if (ports.bus().trouble().isPresent()) {
            return 0;
        }
        var owed =
                ports
                        .store()
                        .read(tx -> tx.scan(
                                Range.keysStartingWith(Tables.ANNOUNCEMENTS, "").limit(BATCH)))
                        .stream()
                        .map(Range.Hit::row)
                        .toList();
        if (owed.isEmpty()) {
            return 0;
        }
        var handed = ports.bus().announceAll(owed);
        var taken = new ArrayList<Announcement>();
        for (int i = 0; i < owed.size(); i++) {
            if (handed.get(i) instanceof Handed.Taken) {
                taken.add(owed.get(i));
            }
        }
        forget(taken);
        handed.forEach(AnnounceResults::complain);
        return taken.size();
    }

    private void forget(List<Announcement> taken) {
        if (taken.isEmpty()) {
            return;
        }
        var rows = taken.stream()
                .<RowRef<?, ?>>map(announcement -> Tables.ANNOUNCEMENTS.row(announcement.key()))
                .toList();
        ports.store().transact(rows, tx -> {
            for (var announcement : taken) {
                tx.find(Tables.ANNOUNCEMENTS, announcement.key())
                        .ifPresent(owed -> tx.delete(Tables.ANNOUNCEMENTS, announcement.key()));
            }
            return taken;
        });
    }

    private static void complain(Handed handed) {
        switch (handed) {
            case Handed.Taken taken -> {}
            case Handed.Failed(var why) -> throw why;
            case Handed.Broken(var why) -> throw why;
        }
    }
}
