import { Rocket, Scale, Shield } from 'lucide-react'
import type { Fund } from '#contract/markets.ts'

/** The picture of each fund. */
export const FUND_LOOKS = {
  FUND_CONSERVATIVE: { icon: Shield, tint: 'blue' },
  FUND_BALANCED: { icon: Scale, tint: 'primary' },
  FUND_AGGRESSIVE: { icon: Rocket, tint: 'orange' },
} as const satisfies Record<Fund, object>
