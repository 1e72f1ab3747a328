import { Check } from 'lucide-react'
import { Children, type ReactNode } from 'react'
import { Avatar } from '#web/ui/avatar.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmailText } from '#web/ui/email-text.tsx'

/** A person who can share a bill. */
export type Sharer = { id: string; name: string; initials: string; description?: string }

type PeopleOptionsProps = {
  people: readonly Sharer[]
  chosen: readonly string[]
  onToggle: (id: string) => void
  failed: boolean
  /**
   * `trailing` is shown beside a person's name and has its space reserved from the start. `below` is shown under the row of a
   * chosen person.
   */
  trailing?: ReadonlyMap<string, ReactNode>
  below?: ReadonlyMap<string, ReactNode>
  /** Rows below the people: placeholders while people load, and the way to add more. */
  children?: ReactNode
}

/** Lets the customer choose any number of people. */
export function PeopleOptions({ people, chosen, onToggle, failed, trailing, below, children }: PeopleOptionsProps) {
  return (
    <ul
      className={cx(
        'divide-y divide-line overflow-hidden rounded-card border bg-surface shadow-card',
        failed ? 'border-danger ring-1 ring-danger' : 'border-line',
      )}
    >
      {people.map((person) => {
        const isChecked = chosen.includes(person.id)
        return (
          <li key={person.id}>
            <PersonOption person={person} checked={isChecked} onToggle={() => onToggle(person.id)}>
              {trailing?.get(person.id)}
            </PersonOption>
            {isChecked && below?.get(person.id)}
          </li>
        )
      })}
      {Children.map(children, (child) => child && <li>{child}</li>)}
    </ul>
  )
}

type PersonOptionProps = { person: Sharer; checked: boolean; onToggle: () => void; children: ReactNode }

function PersonOption({ person, checked, onToggle, children }: PersonOptionProps) {
  return (
    <label className="relative block cursor-pointer px-4 transition-colors hover:bg-muted/60 has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-primary">
      <input
        type="checkbox"
        checked={checked}
        onChange={onToggle}
        className="absolute inset-0 cursor-pointer opacity-0"
      />
      <span className="flex min-h-16 items-center gap-3 py-2.5">
        <Avatar initials={person.initials} name={person.name} className="!size-11 !text-sm max-[20rem]:!hidden" />
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap justify-between gap-x-3">
            <span dir="auto" className="line-clamp-2 min-w-0 flex-1 basis-20 font-medium rtl:text-right">
              <EmailText email={person.name} />
            </span>
            {children}
          </span>
          {person.description && (
            <span dir="ltr" className="block text-sm text-ink-soft rtl:text-right">
              <EmailText email={person.description} />
            </span>
          )}
        </span>
        <span
          aria-hidden
          className={cx(
            'grid size-6 shrink-0 place-items-center rounded-md border-2 transition-colors',
            checked ? 'border-primary bg-primary text-on-primary' : 'border-line-strong',
          )}
        >
          {checked && <Check className="size-4" strokeWidth={3} />}
        </span>
      </span>
    </label>
  )
}
