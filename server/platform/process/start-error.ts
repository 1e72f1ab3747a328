/** A reason not to start, as one sentence for the operator. The program prints it without a stack. */
export class StartError extends Error {
  override readonly name: string = 'StartError'
}
