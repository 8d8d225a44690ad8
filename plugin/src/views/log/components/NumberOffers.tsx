import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, useStyles2 } from '@grafana/ui';
import React, { useEffect, useRef } from 'react';
import { readTheme } from '../../parts/panel-theme.js';
import type { Box, NumberOffer } from '../hooks/use-number-offer.js';

interface NumberOffersProps {
  readonly numbers: NumberOffer;
  /** Gives the focus back to the lines. */
  readonly onLeave: () => void;
}

/** The number under the mouse, and the buttons that draw one. */
export function NumberOffers({ numbers, onLeave }: NumberOffersProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  const buttons = useRef<HTMLDivElement>(null);
  const { hovered, offer, choose, close } = numbers;
  useEffect(() => {
    if (offer?.hasFocus === true) buttons.current?.querySelector('button')?.focus();
  }, [offer]);
  return (
    <>
      {hovered !== undefined && (
        <div
          className={styles.number}
          style={{ left: hovered.left, top: hovered.top, width: hovered.width, height: hovered.height }}
          data-testid="joblens-log-number"
        />
      )}
      {offer !== undefined && (
        <div
          ref={buttons}
          role="group"
          aria-label="Draw a number"
          className={styles.offer}
          style={placeOffer(offer.box)}
          data-testid="joblens-log-offer"
          onClick={(event) => event.stopPropagation()}
          onMouseMove={(event) => event.stopPropagation()}
          onKeyDown={(event) => {
            event.stopPropagation();
            if (event.key !== 'Escape') return;
            close();
            onLeave();
          }}
        >
          {offer.choices.map((choice) => (
            <Button
              key={choice.name}
              size="sm"
              variant="secondary"
              icon="graph-bar"
              onClick={() => {
                choose(choice);
                onLeave();
              }}
            >
              {`Draw ${choice.name}`}
            </Button>
          ))}
        </div>
      )}
    </>
  );
}

/** Below the number, or above it at the end of the lines. */
function placeOffer({ left, top, height, isAtEnd }: Box): React.CSSProperties {
  return isAtEnd ? { left, top: top - 2, transform: 'translateY(-100%)' } : { left, top: top + height + 2 };
}

function getStyles(grafanaTheme: GrafanaTheme2): Record<'number' | 'offer', string> {
  const theme = readTheme(grafanaTheme);
  return {
    number: css({
      position: 'absolute',
      pointerEvents: 'none',
      borderRadius: 2,
      outline: `1px solid ${theme.colors.text.link}`,
      background: theme.colors.info.transparent,
    }),
    offer: css({
      position: 'absolute',
      zIndex: 2,
      display: 'flex',
      flexWrap: 'wrap',
      gap: theme.spacing(0.5),
      padding: theme.spacing(0.5),
      borderRadius: 2,
      background: theme.colors.background.secondary,
      border: `1px solid ${theme.colors.border.medium}`,
      boxShadow: theme.shadows.z3,
    }),
  };
}
