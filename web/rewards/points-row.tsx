import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { RowIcon, type RowTint } from '#web/ui/row.tsx'

type PointsRowProps = {
  icon: LucideIcon
  /** Replaces the icon. */
  picture?: ReactNode
  tint?: RowTint
  title: ReactNode
  description: ReactNode
  trailing: ReactNode
}

/** Shows an entry about points in one line. If large text needs the space, the content at its end moves below. */
export function PointsRow({ icon, picture, tint, title, description, trailing }: PointsRowProps) {
  return (
    <div className="@container px-4">
      <div className="flex min-h-16 items-center gap-3 py-2.5">
        {picture || <RowIcon icon={icon} tint={tint} />}
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
          <div className="min-w-0 flex-1 basis-28">
            <div className="font-medium">{title}</div>
            <div className="text-sm text-pretty text-ink-soft">{description}</div>
          </div>
          <div className="ms-auto max-w-full text-end">{trailing}</div>
        </div>
      </div>
    </div>
  )
}
