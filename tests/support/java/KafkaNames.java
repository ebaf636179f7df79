import java.util.TreeSet;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/** Prints every property that the clients know. */
class KafkaNames {
  public static void main(String[] arguments) {
    TreeSet<String> names = new TreeSet<>(ConsumerConfig.configNames());
    names.addAll(ProducerConfig.configNames());
    names.addAll(AdminClientConfig.configNames());
    names.forEach(System.out::println);
  }
}
