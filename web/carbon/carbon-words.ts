import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Car, type LucideIcon, ShoppingBag, Utensils, Zap } from 'lucide-react'
import type { CarbonCategory } from '#contract/carbon-terms.ts'
import type { RowTint } from '#web/ui/row.tsx'

type CategoryLook = {
  icon: LucideIcon
  tint: RowTint
  name: MessageDescriptor
  tips: readonly [MessageDescriptor, MessageDescriptor]
}

/** The name, icon and tip of each category of the footprint. */
export const CARBON_LOOKS: Record<CarbonCategory, CategoryLook> = {
  transport: {
    icon: Car,
    tint: 'blue',
    name: msg({ message: 'Transport', context: 'carbon footprint' }),
    tips: [msg`Walk or bike short trips.`, msg`Take the train or bus, or share a ride.`],
  },
  shopping: {
    icon: ShoppingBag,
    tint: 'purple',
    name: msg({ message: 'Shopping', context: 'carbon footprint' }),
    tips: [msg`Choose things that last, and repair them.`, msg`Look for secondhand first.`],
  },
  food: {
    icon: Utensils,
    tint: 'orange',
    name: msg({ message: 'Food', context: 'carbon footprint' }),
    tips: [msg`Try a few meals a week without meat.`, msg`Plan meals to waste less food.`],
  },
  energy: {
    icon: Zap,
    tint: 'primary',
    name: msg({ message: 'Energy', context: 'carbon footprint' }),
    tips: [msg`Turn the heat down by one degree.`, msg`Turn off what you're not using.`],
  },
}
