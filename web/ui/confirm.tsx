import type { ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

type ConfirmProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  /** The description under the title, for screen readers only. */
  description: string
  /** The label of the button that confirms. */
  yes: string
  no: string
  /** True if the confirm button is red, for example because the action removes something. */
  danger?: boolean
  /** The id of the element that describes the confirm button. */
  about?: string
  busy?: boolean
  /** The reason why the action failed. */
  error?: ReactNode
  onYes: () => void
  children: ReactNode
}

/** A sheet that asks for confirmation of an action. It cannot be closed while the action runs. */
export function Confirm(props: ConfirmProps) {
  const {
    open,
    onOpenChange,
    title,
    description,
    yes,
    no,
    danger = false,
    about,
    busy = false,
    error,
    onYes,
    children,
  } = props
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => {
        if (!busy) onOpenChange(next)
      }}
      title={title}
      description={description}
      footer={
        <div className="flex flex-col gap-2">
          <Button variant={danger ? 'danger' : 'primary'} busy={busy} aria-describedby={about} onClick={onYes}>
            {yes}
          </Button>
          <Button variant="secondary" disabled={busy} onClick={() => onOpenChange(false)}>
            {no}
          </Button>
        </div>
      }
    >
      <div className="space-y-3 text-pretty text-ink-soft">{children}</div>
      {error && (
        <p role="alert" className="mt-4 rounded-control bg-danger-subtle px-4 py-3 text-sm font-medium text-danger">
          {error}
        </p>
      )}
    </Sheet>
  )
}
