import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { RowIcon, type RowTint } from '#web/ui/row.tsx'

type StateHeadProps = { icon: LucideIcon; tint?: RowTint; title: string; children: ReactNode }

/** Shows the state of a loan or an application at the top of its card. */
export function StateHead({ icon, tint, title, children }: StateHeadProps) {
  return (
    <div className="@container">
      <div className="flex items-center gap-3">
        <RowIcon icon={icon} tint={tint} />
        <div className="min-w-0">
          <h2 className="leading-snug font-semibold text-balance rtl:leading-normal">{title}</h2>
          <p className="text-sm text-pretty text-ink-soft">{children}</p>
        </div>
      </div>
    </div>
  )
}
