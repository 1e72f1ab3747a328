import { fork } from 'node:child_process'
import { once } from 'node:events'

/** Has a program do what an order says, in a process of its own, so that it takes none of the bank's time but the processor's. */
export async function inProcess<Report>(program: URL, order: object): Promise<Report> {
  const child = fork(program)
  child.send(order)
  const [report] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('The load ended without a report'))),
  ])) as [Report]
  return report
}
