import type { ReactNode } from 'react'

/** Lists labeled facts below each other. */
export function LabelledFacts({ details }: { details: readonly { label: string; value: ReactNode }[] }) {
  return (
    <dl className="divide-y divide-line rounded-card border border-line bg-surface px-4 shadow-card">
      {details.map(({ label, value }) => (
        <div key={label} className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 py-2.5">
          <dt className="text-sm text-ink-soft">{label}</dt>
          <dd className="min-w-0 font-medium break-words">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
