package livejoin;

import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap;
import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap$;
import org.apache.spark.sql.kafka010.KafkaSourceProvider;

/**
 * Spark's source of Kafka's records, with a consumer that hands on records of any time, and of one topic alone. Spark
 * refuses every interceptor, because one could change what is read; that is what these are for, so they are hidden where
 * options are looked at.
 */
public final class KafkaOfAnyTime extends KafkaSourceProvider {

    private static final String INTERCEPTORS = "kafka.interceptor.classes";

    // Scala's names for methods that are private to the file of that class and to what is nested in it.
    @Override
    public void org$apache$spark$sql$kafka010$KafkaSourceProvider$$validateStreamOptions(
            final CaseInsensitiveMap<String> options) {
        super.org$apache$spark$sql$kafka010$KafkaSourceProvider$$validateStreamOptions(without(options));
    }

    @Override
    public void org$apache$spark$sql$kafka010$KafkaSourceProvider$$validateBatchOptions(
            final CaseInsensitiveMap<String> options) {
        super.org$apache$spark$sql$kafka010$KafkaSourceProvider$$validateBatchOptions(without(options));
    }

    private static CaseInsensitiveMap<String> without(final CaseInsensitiveMap<String> options) {
        return CaseInsensitiveMap$.MODULE$.apply(options.removed(INTERCEPTORS));
    }
}
