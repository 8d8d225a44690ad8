import { dataLayers, sceneGraph, SceneDataLayerSet, SceneObjectBase, type SceneComponentProps } from '@grafana/scenes';
import { InlineSwitch } from '@grafana/ui';
import * as React from 'react';

/** A switch for each annotation of the dashboard, as Grafana has them beside the variables. */
export class AnnotationSwitches extends SceneObjectBase {
  static Component = AnnotationSwitchesView;
}

function AnnotationSwitchesView({ model }: SceneComponentProps<AnnotationSwitches>): React.JSX.Element {
  const layers = sceneGraph
    .getDataLayers(model)
    .flatMap((set) => (set instanceof SceneDataLayerSet ? set.state.layers : []))
    .filter((layer) => layer instanceof dataLayers.AnnotationsDataLayer);
  return (
    <>
      {layers.map((layer) => (
        <AnnotationSwitch key={layer.state.key} layer={layer} />
      ))}
    </>
  );
}

function AnnotationSwitch({ layer }: { readonly layer: dataLayers.AnnotationsDataLayer }): React.JSX.Element | null {
  const { key, name, isEnabled = true, isHidden } = layer.useState();
  if (isHidden === true) return null;
  return (
    <InlineSwitch
      id={`switch-${key ?? name}`}
      label={name}
      showLabel
      value={isEnabled}
      onChange={() => layer.setState({ isEnabled: !isEnabled })}
    />
  );
}
