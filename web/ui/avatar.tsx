import { pickByName } from '#web/ui/pick-by-name.ts'
import { cx } from '#web/ui/cx.ts'

const TINTS = [
  'bg-primary-subtle text-primary',
  'bg-orange-subtle text-orange',
  'bg-blue-subtle text-blue',
  'bg-purple-subtle text-purple',
  'bg-warning-subtle text-warning',
] as const

/** A person's initials. Screen readers skip them, because the name is beside them. */
export function Avatar({ initials, name, className }: { initials: string; name: string; className?: string }) {
  return (
    <span
      aria-hidden
      className={cx(
        'grid size-13 shrink-0 place-items-center rounded-full text-base font-semibold',
        pickByName(name, TINTS),
        className,
      )}
    >
      {initials.slice(0, 2)}
    </span>
  )
}
