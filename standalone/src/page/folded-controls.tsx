import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { SceneObjectBase, type SceneComponentProps, type SceneObject, type SceneObjectState } from '@grafana/scenes';
import { ToolbarButton, useStyles2 } from '@grafana/ui';
import * as React from 'react';

interface FoldedControlsState extends SceneObjectState {
  readonly controls: readonly SceneObject[];
}

/** Upright or on its side, a phone has room for one row of controls before the data. */
const SMALL = '@media (max-width: 767px), (max-height: 500px)';

/** Controls that stand beside the others, and on a phone behind a button. */
export class FoldedControls extends SceneObjectBase<FoldedControlsState> {
  static Component = FoldedControlsView;
}

function FoldedControlsView({ model }: SceneComponentProps<FoldedControls>): React.JSX.Element {
  const { controls } = model.useState();
  const styles = useStyles2(getStyles);
  const [isOpen, setIsOpen] = React.useState(false);
  const id = React.useId();
  return (
    <>
      <span className={styles.button}>
        <ToolbarButton
          icon="filter"
          variant={isOpen ? 'active' : 'canvas'}
          tooltip="Choices and links"
          aria-label="Choices and links"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setIsOpen(!isOpen)}
        />
      </span>
      <div id={id} className={cx(styles.controls, !isOpen && styles.folded)}>
        {controls.map((control) => (
          <control.Component key={control.state.key} model={control} />
        ))}
      </div>
    </>
  );
}

function getStyles(theme: GrafanaTheme2): Record<'button' | 'controls' | 'folded', string> {
  return {
    button: css({ display: 'none', [SMALL]: { display: 'block' } }),
    controls: css({
      display: 'contents',
      // Below the controls that are always shown.
      [SMALL]: { order: 1, display: 'flex', flexWrap: 'wrap', flexBasis: '100%', gap: theme.spacing(1) },
    }),
    folded: css({ [SMALL]: { display: 'none' } }),
  };
}
