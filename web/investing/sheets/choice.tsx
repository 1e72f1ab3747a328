import type { ReactNode, Ref } from 'react'
import { cx } from '#web/ui/cx.ts'

type ChoiceProps = {
  /** The name of the radio group. */
  name: string
  checked: boolean
  onChoose: () => void
  children: ReactNode
  ref?: Ref<HTMLInputElement> | undefined
}

/** Shows an answer of a question. The whole row can be pressed. */
export function Choice({ name, checked, onChoose, children, ref }: ChoiceProps) {
  return (
    <label
      className={cx(
        'relative flex min-h-12 cursor-pointer items-center gap-3 rounded-control border bg-surface px-4 py-2 transition-colors hover:bg-muted/60',
        'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary',
        checked ? 'border-primary ring-1 ring-primary' : 'border-line',
      )}
    >
      <input
        ref={ref}
        type="radio"
        name={name}
        checked={checked}
        onChange={onChoose}
        className="absolute inset-0 cursor-pointer opacity-0"
      />
      <span className="min-w-0 flex-1">{children}</span>
      <span
        aria-hidden
        className={cx(
          'size-5 shrink-0 rounded-full border-2',
          checked ? 'border-[0.375rem] border-primary' : 'border-line-strong',
        )}
      />
    </label>
  )
}
