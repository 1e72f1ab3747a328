import { fork } from 'node:child_process'
import { once } from 'node:events'

/**
 * Runs a program in its own process and returns its report. The program does not use the event loop of the bank; both share the
 * processor.
 */
export async function inProcess<Report>(program: URL, parameters: object): Promise<Report> {
  const child = fork(program)
  child.send(parameters)
  const [report] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('The load ended without a report'))),
  ])) as [Report]
  return report
}
